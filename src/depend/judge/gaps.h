// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <set>
#include <string>

namespace heddle::depend {

/// Why runs that were looked at do not stand for all. Sentences for people, each once.
struct Gaps {
  std::set<std::string> unfollowed;  ///< what happened there may be something else
  std::set<std::string> untried;     ///< other inputs may lead elsewhere
  std::set<std::string> assumed;     ///< what some systems do and others do not
  [[nodiscard]] bool empty() const { return unfollowed.empty() && untried.empty(); }
};

}  // namespace heddle::depend
