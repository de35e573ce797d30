// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/models/mentioned_models.h"

#include <algorithm>

namespace heddle::api {
namespace {

/// The length of the first table of `text`, with what stands in front of its header.
std::size_t end_of_table(std::string_view text) {
  const std::size_t next = text.find("\n[", 1);
  return next == std::string_view::npos ? text.size() : next + 1;
}

bool is_mentioned(std::string_view table, const MentionedNames& names) {
  for (std::size_t open = table.find('"'); open != std::string_view::npos;) {
    const std::size_t close = table.find('"', open + 1);
    if (close == std::string_view::npos) return true;  // not understood, so it stays
    if (names.has(table.substr(open + 1, close - open - 1))) return true;
    open = table.find('"', close + 1);
  }
  return false;
}

}  // namespace

MentionedNames::MentionedNames(const Program& program) {
  // Linking calls internal functions of one name `name@unit`.
  for (const Function& function : program.functions) names_.push_back(function.name.substr(0, function.name.find('@')));
  std::ranges::sort(names_);
}

bool MentionedNames::has(std::string_view pattern) const {
  if (!pattern.ends_with('*')) return std::ranges::binary_search(names_, pattern);
  pattern.remove_suffix(1);
  const auto at = std::ranges::lower_bound(names_, pattern);
  return at != names_.end() && at->starts_with(pattern);
}

std::string mentioned_part(std::string_view text, const MentionedNames& names) {
  std::string part;
  while (!text.empty()) {
    const std::string_view table = text.substr(0, end_of_table(text));
    if (!table.starts_with("[[function]]") || is_mentioned(table, names)) part += table;
    text.remove_prefix(table.size());
  }
  return part;
}

std::vector<std::string_view> hidden_variables(std::string_view text) {
  std::vector<std::string_view> names;
  for (const std::string_view key : {"hidden_read = \"", "hidden_write = \"", "hidden_use = \""})
    for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
      const std::string_view rest = text.substr(at + key.size());
      names.push_back(rest.substr(0, rest.find('"')));
    }
  return names;
}

}  // namespace heddle::api
