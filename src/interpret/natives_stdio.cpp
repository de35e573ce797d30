// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "interpret/natives.h"

namespace heddle::interpret {
namespace {

using Call = NativeCall;
constexpr std::uint64_t end_of_file = ~0ULL;

void write_to(Call& c, const Slot& stream, const std::string& text) {
  const std::uint64_t which = c.core.read_word(stream, 1);
  if (which == 0) c.core.unsupported("output to this stream");
  (which == 2 ? c.core.errors : c.core.output) += text;
}

void print(Call& c, const std::string& text) {
  c.core.output += text;
  c.give(text.size());
}

void print_to(Call& c, const std::string& text) {
  write_to(c, c.slot(0), text);
  c.give(text.size());
}

void print_into(Call& c, const std::string& text, std::uint64_t limit) {
  if (limit > 0) {
    std::string bytes = text.substr(0, limit - 1);
    bytes.push_back('\0');
    c.core.write_bytes(c.slot(0), bytes.data(), bytes.size());
  }
  c.give(text.size());
}

std::string formatted(Call& c, std::size_t format) {
  return format_text(c.core, c.text(format), ArgumentSource(c, format + 1));
}
std::string formatted_list(Call& c, std::size_t format) {
  return format_text(c.core, c.text(format), ArgumentSource::of_list(c, format + 1));
}

void allocate_print(Call& c, const std::string& text) {
  const Slot fresh = c.core.allocate_heap(text.size() + 1, 16, false, true);
  c.core.write_bytes(fresh, text.c_str(), text.size() + 1);
  c.core.write_pointer(c.slot(0), fresh);
  c.give(text.size());
}

void put_char(Call& c) {
  c.core.output.push_back(static_cast<char>(c.word(0)));
  c.give(c.word(0) & 0xff);
}

void put_char_to(Call& c) {
  write_to(c, c.slot(1), std::string(1, static_cast<char>(c.word(0))));
  c.give(c.word(0) & 0xff);
}

std::uint64_t next_char(Call& c) {
  if (c.core.shared.input_at >= c.core.options.input.size()) return end_of_file;
  c.core.touch_shared();
  return static_cast<unsigned char>(c.core.options.input[c.core.shared.input_at++]);
}

void get_line(Call& c) {
  const std::uint64_t limit = c.word(1);
  std::string line;
  while (line.size() + 1 < limit) {
    const std::uint64_t ch = next_char(c);
    if (ch == end_of_file) break;
    line.push_back(static_cast<char>(ch));
    if (ch == '\n') break;
  }
  if (line.empty()) return;
  c.core.write_bytes(c.slot(0), line.c_str(), line.size() + 1);
  c.give_pointer(c.slot(0));
}

void write_items(Call& c) {
  const std::uint64_t count = c.word(1) * c.word(2);
  const std::uint8_t* bytes = c.core.read_bytes(c.slot(0), count);
  write_to(c, c.slot(3), std::string(reinterpret_cast<const char*>(bytes), count));
  c.give(c.word(2));
}

void success(Call& c) { c.give(0); }

constexpr NativeEntry table[] = {
    {"printf", [](Call& c) { print(c, formatted(c, 0)); }},
    {"__printf_chk", [](Call& c) { print(c, formatted(c, 1)); }},
    {"vprintf", [](Call& c) { print(c, formatted_list(c, 0)); }},
    {"fprintf", [](Call& c) { print_to(c, formatted(c, 1)); }},
    {"__fprintf_chk", [](Call& c) { print_to(c, formatted(c, 2)); }},
    {"vfprintf", [](Call& c) { print_to(c, formatted_list(c, 1)); }},
    {"sprintf", [](Call& c) { print_into(c, formatted(c, 1), ~0ULL); }},
    {"vsprintf", [](Call& c) { print_into(c, formatted_list(c, 1), ~0ULL); }},
    {"snprintf", [](Call& c) { print_into(c, formatted(c, 2), c.word(1)); }},
    {"vsnprintf", [](Call& c) { print_into(c, formatted_list(c, 2), c.word(1)); }},
    {"__sprintf_chk", [](Call& c) { print_into(c, formatted(c, 3), ~0ULL); }},
    {"__snprintf_chk", [](Call& c) { print_into(c, formatted(c, 4), c.word(1)); }},
    {"asprintf", [](Call& c) { allocate_print(c, formatted(c, 1)); }},
    {"vasprintf", [](Call& c) { allocate_print(c, formatted_list(c, 1)); }},
    {"dprintf", [](Call& c) { (c.word(0) == 2 ? c.core.errors : c.core.output) += formatted(c, 1); }},
    {"puts", [](Call& c) { print(c, c.text(0) + "\n"); }},
    {"fputs",
     [](Call& c) {
       write_to(c, c.slot(1), c.text(0));
       c.give(1);
     }},
    {"putchar", put_char},
    {"putchar_unlocked", put_char},
    {"putc", put_char_to},
    {"fputc", put_char_to},
    {"_IO_putc", put_char_to},
    {"fwrite", write_items},
    {"write",
     [](Call& c) {
       if (c.word(0) != 1 && c.word(0) != 2) c.core.unsupported("write to a file");
       const std::uint64_t n = c.word(2);
       (c.word(0) == 2 ? c.core.errors : c.core.output)
           .append(reinterpret_cast<const char*>(c.core.read_bytes(c.slot(1), n)), n);
       c.give(n);
     }},
    {"perror", [](Call& c) { c.core.errors += (c.slot(0).bits == 0 ? "" : c.text(0) + ": ") + "error\n"; }},
    {"fflush", success},
    {"setvbuf", success},
    {"setbuf", success},
    {"ferror", success},
    {"clearerr", success},
    {"flockfile", success},
    {"funlockfile", success},
    {"feof", [](Call& c) { c.give(c.core.shared.input_at >= c.core.options.input.size() ? 1 : 0); }},
    {"getchar", [](Call& c) { c.give(next_char(c)); }},
    {"getc", [](Call& c) { c.give(next_char(c)); }},
    {"fgetc", [](Call& c) { c.give(next_char(c)); }},
    {"fgets", get_line},
};

}  // namespace

std::span<const NativeEntry> stdio_natives() { return table; }

}  // namespace heddle::interpret
