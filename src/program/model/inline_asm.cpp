// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/model/inline_asm.h"

#include <algorithm>
#include <span>

namespace heddle {
namespace {

// amd64, arm64, Arm's microcontrollers, AVR, RISC-V; without what stands behind a dot (`nop.w`, `fence.i`).
constexpr std::string_view waits_or_reads[] = {"",      "nop", "pause", "mfence", "lfence", "sfence", "rdtsc", "rdtscp",
                                               "in",    "inb", "inw",   "inl",    "wfi",    "wfe",    "sev",   "sevl",
                                               "yield", "dsb", "isb",   "dmb",    "sleep",  "mrs",    "csrr",  "fence"};
constexpr std::string_view writes_ports[] = {"out", "outb", "outw", "outl"};

bool is_one_of(std::string_view statement, std::span<const std::string_view> known) {
  constexpr std::string_view blanks = " \t";
  statement.remove_prefix(std::min(statement.find_first_not_of(blanks), statement.size()));
  if (statement == "rep") return true;  // in front of a statement of its own: `rep; nop`
  return std::ranges::find(known, statement.substr(0, statement.find_first_of(" \t."))) != known.end();
}

template <class Asked>
bool all_statements(std::string_view asm_text, const Asked& asked) {
  std::string_view rest = asm_text.substr(0, asm_text.find('|'));
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of("\n;"), rest.size());
    if (!asked(rest.substr(0, end))) return false;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return true;
}

}  // namespace

bool touches_no_memory(std::string_view asm_text) {
  return all_statements(asm_text, [](std::string_view statement) {
    return is_one_of(statement, waits_or_reads) || is_one_of(statement, writes_ports);
  });
}

bool only_waits_or_reads(std::string_view asm_text) {
  return all_statements(asm_text, [](std::string_view statement) { return is_one_of(statement, waits_or_reads); });
}

}  // namespace heddle
