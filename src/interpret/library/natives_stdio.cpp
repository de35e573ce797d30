// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Output to streams, and strings made by printf. Streams are locked: what is written to standard output in one call
// stays together.
#include <algorithm>
#include <cerrno>

#include "interpret/library/natives.h"

namespace heddle::interpret {
namespace {

using Call = NativeCall;

/// Writing to a stored file changes what a later read sees; the two standard streams are only written.
bool write_to(Call& c, std::uint32_t descriptor, std::string_view text) {
  const OpenFile& file = c.core.files.open_file(descriptor);
  if (file.kind == FileKind::Stored) {
    if (!c.is_admitted(file.stream)) return false;
    c.order_through_files();
    c.core.library.save();
  }
  return c.core.files.write(descriptor, text);
}

void put(Call& c, std::uint32_t descriptor, std::string_view text, std::uint64_t result) {
  const bool done = write_to(c, descriptor, text);
  c.doubt_result();
  c.give(done ? result : minus_one);
}

void print(Call& c, const std::string& text) { put(c, 1, text, text.size()); }
void print_to(Call& c, const std::string& text) { put(c, c.core.files.descriptor_of(c.slot(0)), text, text.size()); }

void print_into(Call& c, const std::string& text, std::uint64_t limit) {
  if (limit > 0) {
    std::string bytes = text.substr(0, limit - 1);
    bytes.push_back('\0');
    c.core.space.write_bytes(c.slot(0), bytes.data(), bytes.size());
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
  const Slot fresh = c.core.heap.allocate(text.size() + 1, 16, false, true);
  if (fresh.bits == 0) {
    c.give(minus_one);
    return;
  }
  c.core.space.write_bytes(fresh, text.c_str(), text.size() + 1);
  c.core.space.write_pointer(c.slot(0), fresh);
  c.give(text.size());
}

std::string one(Call& c) { return {static_cast<char>(c.word(0))}; }
void put_char(Call& c) { put(c, 1, one(c), c.word(0) & 0xff); }
void put_char_to(Call& c) { put(c, c.core.files.descriptor_of(c.slot(1)), one(c), c.word(0) & 0xff); }
void put_string(Call& c) { put(c, c.core.files.descriptor_of(c.slot(1)), c.text(0), 1); }

void write_items(Call& c) {
  const std::uint64_t count = c.word(1) * c.word(2);
  const std::uint8_t* bytes = c.core.space.read_bytes(c.slot(0), count);
  const bool done = write_to(c, c.core.files.descriptor_of(c.slot(3)), {reinterpret_cast<const char*>(bytes), count});
  c.give(done && c.word(1) != 0 ? c.word(2) : 0);
}

void write_descriptor(Call& c) {
  const std::uint64_t count = c.word(2);
  if (c.number(0) < 0) {
    c.set_errno(EBADF);
    c.give(minus_one);
    return;
  }
  const std::uint8_t* bytes = c.core.space.read_bytes(c.slot(1), count);
  put(c, static_cast<std::uint32_t>(c.word(0)), {reinterpret_cast<const char*>(bytes), count}, count);
}

constexpr NativeEntry stdio_table[] = {
    {"printf", [](Call& c) { print(c, formatted(c, 0)); }},
    {"__printf_chk", [](Call& c) { print(c, formatted(c, 1)); }},
    {"vprintf", [](Call& c) { print(c, formatted_list(c, 0)); }},
    {"__vprintf_chk", [](Call& c) { print(c, formatted_list(c, 1)); }},
    {"fprintf", [](Call& c) { print_to(c, formatted(c, 1)); }},
    {"__fprintf_chk", [](Call& c) { print_to(c, formatted(c, 2)); }},
    {"vfprintf", [](Call& c) { print_to(c, formatted_list(c, 1)); }},
    {"__vfprintf_chk", [](Call& c) { print_to(c, formatted_list(c, 2)); }},
    {"sprintf", [](Call& c) { print_into(c, formatted(c, 1), minus_one); }},
    {"vsprintf", [](Call& c) { print_into(c, formatted_list(c, 1), minus_one); }},
    {"snprintf", [](Call& c) { print_into(c, formatted(c, 2), c.word(1)); }},
    {"vsnprintf", [](Call& c) { print_into(c, formatted_list(c, 2), c.word(1)); }},
    {"__sprintf_chk", [](Call& c) { print_into(c, formatted(c, 3), minus_one); }},
    {"__snprintf_chk", [](Call& c) { print_into(c, formatted(c, 4), c.word(1)); }},
    {"__vsprintf_chk", [](Call& c) { print_into(c, formatted_list(c, 3), minus_one); }},
    {"__vsnprintf_chk", [](Call& c) { print_into(c, formatted_list(c, 4), c.word(1)); }},
    {"asprintf", [](Call& c) { allocate_print(c, formatted(c, 1)); }},
    {"vasprintf", [](Call& c) { allocate_print(c, formatted_list(c, 1)); }},
    {"dprintf",
     [](Call& c) {
       const std::string text = formatted(c, 1);
       put(c, static_cast<std::uint32_t>(c.word(0)), text, text.size());
     }},
    {"puts", [](Call& c) { print(c, c.text(0) + "\n"); }},
    {"fputs", put_string},
    {"fputs_unlocked", put_string},
    {"putchar", put_char},
    {"putchar_unlocked", put_char},
    {"putc", put_char_to},
    {"fputc", put_char_to},
    {"putc_unlocked", put_char_to},
    {"_IO_putc", put_char_to},
    {"fwrite", write_items},
    {"fwrite_unlocked", write_items},
    {"write", write_descriptor},
};

}  // namespace

std::span<const NativeEntry> stdio_natives() { return stdio_table; }

}  // namespace heddle::interpret
