// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program asks the world: variables, clocks, its own number. The host answers where MachineOptions::host does;
// else the answer is a choice. Clocks never go back: a reading is the last one, one millisecond and a chosen number of
// milliseconds. An input is chosen within what is possible.
#include <cerrno>
#include <cstring>

#include "interpret/code/values.h"
#include "interpret/library/natives.h"

namespace heddle::interpret {
namespace {

using Call = NativeCall;

void give_variable(Call& c) {
  const std::string name = c.text(0);
  Core& core = c.core;
  if (core.options.host.variable) {
    if (const auto value = core.options.host.variable(name)) c.give_pointer(core.objects.make_string(*value));
    return;
  }
  if (name.empty() || name.find('=') != std::string::npos) return;  // no variable is called so
  const std::string source = "environment variable " + name;
  auto& known = core.library.now().constants;
  if (const auto it = known.find(source); it != known.end()) return c.give_pointer(core.space.pointer_at(it->second));
  const std::uint64_t size = core.choices.value(4, false, source);  // 0: not set
  if (size == 0) {
    core.library.change().constants[source] = 0;
    return;
  }
  std::string text;
  for (std::uint64_t i = 1; i < size; ++i) {
    const std::uint64_t byte = core.choices.value(8, false, source);
    text.push_back(byte == 0 ? 'a' : static_cast<char>(byte));
  }
  const Slot made = core.objects.make_string(text);
  core.library.change().constants[source] = made.bits;
  c.give_pointer(made);
}

/// One text for each number, which stays where it is.
Slot error_text(Call& c, int number) {
  const std::string text = std::strerror(number);
  const auto which = library::first_error_text + static_cast<std::uint32_t>(number & 0xfff);
  const ObjectId id = c.core.objects.of_thread(which, text.size() + 1);
  if (c.core.memory.object(id).data[0] == 0)
    c.core.space.write_bytes(c.core.space.pointer_to(id), text.c_str(), text.size() + 1);
  return c.core.space.pointer_to(id);
}

int current_errno(Call& c) { return static_cast<int>(c.core.space.read_word(c.errno_place(), 4)); }

void print_error(Call& c) {
  const std::string before = c.slot(0).bits == 0 ? "" : c.text(0) + ": ";
  (void)c.core.files.write(2, before + std::strerror(current_errno(c)) + "\n");
}

constexpr std::uint64_t million = 1'000'000, billion = 1'000'000'000;

/// Nanoseconds since the start of 1970 or of anything else.
std::uint64_t read_clock(Call& c) {
  const std::uint64_t later = c.core.choices.value(32, false, c.name()) + 1;
  return c.core.library.change().clock += later * million;
}

void write_pair(Call& c, const Slot& to, std::uint64_t seconds, std::uint64_t rest) {
  const std::uint32_t word = c.core.image.pointer_bytes;
  c.core.space.write_word(to, word, seconds);
  c.core.space.write_word({to.bits + word, 0, to.object, 0}, word, rest);
}

void give_seconds(Call& c) {
  const std::uint64_t now = read_clock(c) / billion;
  if (c.count() > 0 && c.slot(0).bits != 0) c.core.space.write_word(c.slot(0), c.core.image.pointer_bytes, now);
  c.give(now);
}

void give_timespec(Call& c, std::size_t where) {
  const std::uint64_t now = read_clock(c);
  write_pair(c, c.slot(where), now / billion, now % billion);
  c.give(0);
}

/// CLOCK_REALTIME to CLOCK_TAI; other numbers may be clocks of processes and devices.
void give_clock(Call& c) {
  constexpr std::int64_t last = 11;
  if (c.number(0) < 0 || c.number(0) > last) c.refuse();
  give_timespec(c, 1);
}

constexpr NativeEntry environment_table[] = {
    {"getenv", give_variable},
    {"secure_getenv", give_variable},
    {"strerror", [](Call& c) { c.give_pointer(error_text(c, static_cast<int>(c.number(0)))); }},
    {"perror", print_error},
    {"time", give_seconds},
    {"clock", [](Call& c) { c.give(read_clock(c) / 1000); }},
    {"clock_gettime", give_clock},
    {"timespec_get",
     [](Call& c) {
       if (c.word(1) != 1) c.refuse();  // TIME_UTC is the one that every library has
       give_timespec(c, 0);
       c.give(1);
     }},
    {"gettimeofday",
     [](Call& c) {
       const std::uint64_t now = read_clock(c);
       if (c.slot(0).bits != 0) write_pair(c, c.slot(0), now / billion, now % billion / 1000);
       c.give(0);
     }},
    {"_ZNSt6chrono3_V212system_clock3nowEv", [](Call& c) { c.give(read_clock(c)); }},
    {"_ZNSt6chrono3_V212steady_clock3nowEv", [](Call& c) { c.give(read_clock(c)); }},
};

}  // namespace

std::span<const NativeEntry> environment_natives() { return environment_table; }

}  // namespace heddle::interpret
