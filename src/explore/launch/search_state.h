// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a search in rounds has come, and the file it is kept in. The file is written whole and put in the place of
// the older one, so that a killed heddle loses at most a round; it ends with a hash of what it says.
#pragma once
#include <string>

#include "explore/shares/frontier.h"
#include "explore/work/work.h"

namespace heddle::explore {

struct SearchState {
  Frontier left;
  Sights sights;
  Learnt learnt;
  std::uint64_t runs = 0;          ///< before the search
  std::uint64_t rounds = 0;        ///< of the search
  std::vector<std::string> races;  ///< answers that have some (answer.h), in order
  bool is_second = false;          ///< it was begun again, with what the first one had learnt
};

/// `key` names the program and its input.
Result<void> write_state(const SearchState& state, const std::string& file, const std::string& key);
/// Nothing: there is no such file. An error: it is damaged, or of another key.
Result<std::optional<SearchState>> read_state(const std::string& file, const std::string& key);

}  // namespace heddle::explore
