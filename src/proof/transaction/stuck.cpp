// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proof/transaction/stuck.h"

#include <algorithm>
#include <span>
#include <vector>

namespace heddle::proof::transaction {

namespace {

/// What is left of an edge.
using Way = std::span<const Act>;

bool is_opposite(const Act& a, const Act& b) {
  const Guard *first = std::get_if<Guard>(&a), *second = std::get_if<Guard>(&b);
  return first != nullptr && second != nullptr && first->left == second->left && first->right == second->right &&
         first->predicate != second->predicate && first->predicate == opposite(second->predicate);
}

class Question {
 public:
  bool one_goes_on(const std::vector<Way>& ways) {
    if (std::ranges::any_of(ways, [](const Way& way) { return way.empty(); })) return true;
    for (std::size_t k = 0; k < ways.size(); ++k) {
      if (left_ == 0) return false;
      --left_;
      const Act& act = ways[k].front();
      const bool is_guard = std::holds_alternative<Guard>(act);
      if (is_guard && std::ranges::none_of(ways, [&](const Way& way) { return is_opposite(way.front(), act); }))
        continue;
      // If the guard holds: those behind it, and those that ask for something else. If not: the same of its opposite.
      std::vector<Way> if_so, if_not;
      for (const Way& way : ways) {
        const bool is_same = way.front() == act, is_other = is_opposite(way.front(), act);
        const bool asks_else = is_guard && !is_same && !is_other && std::holds_alternative<Guard>(way.front());
        if (is_same || asks_else) if_so.push_back(is_same ? way.subspan(1) : way);
        if (is_other || asks_else) if_not.push_back(is_other ? way.subspan(1) : way);
      }
      if (one_goes_on(if_so) && (!is_guard || one_goes_on(if_not))) return true;
    }
    return false;
  }

 private:
  unsigned left_ = 500;
};

}  // namespace

bool always_goes_on(const Point& point) {
  std::vector<Way> ways;
  for (const Edge& edge : point.edges) ways.emplace_back(edge.acts);
  return Question().one_goes_on(ways);
}

}  // namespace heddle::proof::transaction
