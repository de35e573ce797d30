// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/near_names.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace heddle {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t k = 1; k <= b.size(); ++k) {
      const std::size_t above = row[k];
      row[k] = std::min({above + 1, row[k - 1] + 1, diagonal + (a[i - 1] == b[k - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

std::vector<std::string> near_names(const std::string& asked, const std::set<std::string>& names, std::size_t most) {
  std::vector<std::tuple<bool, std::size_t, std::string>> found;  // not contained, distance, name
  for (const std::string& name : names) {
    const bool is_part = !asked.empty() && name.find(asked) != std::string::npos;
    const std::size_t distance = edit_distance(asked, name);
    if (is_part || distance <= 1 + asked.size() / 3) found.emplace_back(!is_part, distance, name);
  }
  std::ranges::sort(found);
  std::vector<std::string> out;
  for (const auto& row : found)
    if (out.size() < most) out.push_back(std::get<std::string>(row));
  return out;
}

}  // namespace heddle
