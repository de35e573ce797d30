// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where proofs are looked for when the whole model is too much.
#include "judge/transaction/look.h"

#include <gtest/gtest.h>

#include "judge/random_models.h"

namespace heddle::judge::transaction {
namespace HEDDLE_TEST_FILE {

/// Main starts a thread that starts three: two run `w`, each with a lock of its own that has the same name, and `v` has
/// the lock of the first.
Model two_with_one_name(LockIndex of_second) {
  const auto worker = [](const std::string& name, LockIndex lock, std::uint32_t number) {
    return WrittenThread{name,
                         {{2, 3, {take(lock)}},
                          {3, 4, {guard(x(0), Predicate::Eq, n(0))}},
                          {3, 5, {guard(x(0), Predicate::Ne, n(0))}},
                          {4, 5, {visit(number)}},
                          {5, 0, {give(lock)}}}};
  };
  const WrittenThread main{"main", {{2, 3, {start(4)}}, {3, 4, {set(0, n(1))}}, {4, 0, {set(0, n(0))}}}};
  const WrittenThread starter{"starter", {{2, 3, {start(1)}}, {3, 4, {start(2)}}, {4, 0, {start(3)}}}};
  return unfinished(model({{"x", 0, {-100, 100}}}, {"s", "s"},
                          {main, worker("w", 0, 0), worker("w", of_second, 0), worker("v", 0, 1), starter}));
}

std::size_t found_apart(const Model& raw) {
  // Nothing is left for the whole model.
  return look(raw, {{place(0), place(1)}}, {.effort = 1}).found.size();
}

TEST(Look, ThreadsThatLookAlikeAreLookedAtOneByOne) {
  EXPECT_EQ(found_apart(two_with_one_name(0)), 1U);
  EXPECT_EQ(found_apart(two_with_one_name(1)), 0U);
}

/// One works while `state` is 1 and makes it 2, the other while it is not and makes it `next`.
Model by_turns(std::int64_t next) {
  const WrittenThread main{"main", {{2, 3, {start(1)}}, {3, 0, {start(2)}}}};
  const WrittenThread first{"first",
                            {{2, 3, {guard(x(0), Predicate::Eq, n(1))}},
                             {2, 0, {guard(x(0), Predicate::Ne, n(1))}},
                             {3, 4, {visit(0)}},
                             {4, 2, {set(0, n(2))}}}};
  const WrittenThread second{"second",
                             {{2, 3, {guard(x(0), Predicate::Ne, n(1))}},
                              {2, 0, {guard(x(0), Predicate::Eq, n(1))}},
                              {3, 4, {visit(1)}},
                              {4, 5, {set(0, n(next))}},
                              {5, 6, {visit(2)}},
                              {6, 2, {set(0, n(1))}}}};
  return unfinished(model({{"state", 0, {-100, 100}}}, {}, {main, first, second}));
}

TEST(Look, OneOfThreeNumbersIsToldFromTheOthers) {
  const auto is_found = [](std::int64_t next, std::uint32_t other) {
    return look(by_turns(next), {{place(0), place(other)}}, {}).found.size() == 1;
  };
  EXPECT_TRUE(is_found(0, 1));
  EXPECT_TRUE(is_found(0, 2));
  EXPECT_TRUE(is_found(1, 1));
  EXPECT_FALSE(is_found(1, 2));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::judge::transaction
