// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/model/inline_asm.h"

#include <algorithm>
#include <array>

namespace heddle {
namespace {

// amd64, arm64, Arm's microcontrollers, AVR, RISC-V.
constexpr std::array harmless = {"",      "nop", "pause", "mfence", "lfence", "sfence", "rdtsc", "rdtscp",
                                 "in",    "inb", "inw",   "inl",    "out",    "outb",   "outw",  "outl",
                                 "wfi",   "wfe", "sev",   "sevl",   "yield",  "dsb",    "isb",   "dmb",
                                 "sleep", "mrs", "csrr",  "fence",  "fence.i"};

constexpr std::string_view blanks = " \t";

bool is_harmless(std::string_view statement) {
  statement.remove_prefix(std::min(statement.find_first_not_of(blanks), statement.size()));
  if (statement == "rep") return true;  // in front of a statement of its own: `rep; nop`
  return std::ranges::find(harmless, statement.substr(0, statement.find_first_of(blanks))) != harmless.end();
}

}  // namespace

bool touches_no_memory(std::string_view asm_text) {
  std::string_view rest = asm_text.substr(0, asm_text.find('|'));
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of("\n;"), rest.size());
    if (!is_harmless(rest.substr(0, end))) return false;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return true;
}

}  // namespace heddle
