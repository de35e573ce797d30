// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/system/asm_masks.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

#include "base/contains.h"

namespace heddle::depend {
namespace {

using Step = MaskStep::Step;
using Words = std::vector<std::string>;
using namespace std::string_view_literals;

/// `MSR  primask, $0` -> msr primask $0.
Words words_of(std::string_view instruction) {
  Words out(1);
  for (const char c : instruction) {
    const bool is_gap = std::isspace(static_cast<unsigned char>(c)) != 0 || c == ',';
    if (!is_gap)
      out.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!out.back().empty())
      out.emplace_back();
  }
  if (out.back().empty()) out.pop_back();
  return out;
}

/// `msr primask, r0`: 1 masks, 0 does not, and what is not known is what was saved before.
Step step_of(std::optional<std::int64_t> value) {
  if (!value) return Step::Restore;
  return *value == 0 ? Step::End : Step::Begin;
}

bool is_immediate(const std::string& word) {
  return !word.empty() && (std::isdigit(static_cast<unsigned char>(word[0])) != 0 || word[0] == '#');
}

/// RISC-V: bits of mstatus are cleared (csrc, csrci, csrrc, csrrci), set (csrs, …) or all written (csrw, csrrw).
std::optional<Step> csr_step(const Words& words) {
  if (!contains(words, "mstatus"sv) && !contains(words, "sstatus"sv) && !contains(words, "0x300"sv))
    return std::nullopt;
  std::string name = words[0].substr(3);
  if (name.starts_with('r') && name.size() > 1) name.erase(0, 1);
  if (name.starts_with('c')) return Step::Begin;
  if (name.starts_with('s')) return name == "si" || is_immediate(words.back()) ? Step::End : Step::Restore;
  return name.starts_with('w') ? std::optional(Step::Restore) : std::nullopt;
}

std::optional<MaskStep> mask_of(const Words& words, std::optional<std::int64_t> value) {
  if (words.empty()) return std::nullopt;
  constexpr std::array begins = {"cli"sv, "dint"sv, "di"sv};
  constexpr std::array ends = {"sei"sv, "sti"sv, "eint"sv, "ei"sv};
  const std::string& name = words[0];
  const std::string first = words.size() > 1 ? words[1] : "";
  if (words.size() == 1 && contains(begins, std::string_view(name))) return MaskStep{Step::Begin};
  if (words.size() == 1 && contains(ends, std::string_view(name))) return MaskStep{Step::End};
  if ((name == "cpsid" || name == "cpsie") && first.contains('i'))
    return MaskStep{name == "cpsid" ? Step::Begin : Step::End};
  if (name == "msr" && first == "primask") return MaskStep{step_of(value)};
  if (name == "msr" && first.starts_with("basepri")) return MaskStep{step_of(value), MaskStep::Of::Unknown};
  if (name == "out" && (first == "__sreg__" || first == "0x3f" || first == "63")) return MaskStep{Step::Restore};
  if (!name.starts_with("csr")) return std::nullopt;
  const auto step = csr_step(words);
  return step ? std::optional(MaskStep{*step}) : std::nullopt;
}

}  // namespace

std::optional<MaskStep> asm_mask(std::string_view text, std::optional<std::int64_t> value) {
  std::string_view rest = text.substr(0, text.find('|'));
  std::optional<MaskStep> found;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of("\n;"), rest.size());
    if (const auto step = mask_of(words_of(rest.substr(0, end)), value)) found = step;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return found;
}

}  // namespace heddle::depend
