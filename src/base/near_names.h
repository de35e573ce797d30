// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// Letters to change, add or leave out to get from one to the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// For "did you mean": those that contain what was asked, then those a few letters away; the nearest first.
std::vector<std::string> near_names(const std::string& asked, const std::set<std::string>& names, std::size_t most);

}  // namespace heddle
