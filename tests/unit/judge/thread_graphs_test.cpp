// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps that make graphs of threads smaller, one by one.
#include <gtest/gtest.h>

#include "judge/thread_graphs/one_hot.h"
#include "judge/thread_graphs/print_model.h"
#include "judge/thread_graphs/reduce_threads.h"
#include "judge/thread_graphs/tidy_edges.h"
#include "judge/transaction/settle.h"
#include "judge/transaction_models.h"
#include "proof/transaction/stuck.h"

namespace heddle::judge::transaction {
namespace HEDDLE_TEST_FILE {

constexpr VariableIndex own = first_local;
constexpr Interval wide{-1'000, 1'000}, narrow{0, 255};

/// A model of one thread, with a shared variable x, tidied.
std::string tidied(const std::vector<WrittenStep>& steps, bool are_ruly = true) {
  Model one = model({{"x", 0, wide}}, {"m"}, {{"main", steps}});
  tidy_edges(one, one.threads[0], are_ruly);
  return text_of(one);
}

TEST(TidyEdges, PutsValuesIn) {
  EXPECT_EQ(tidied({{2, 0, {set(own, x(0), wide), guard(x(own), Predicate::Eq, n(3)), set(0, x(own, 1), wide)}}}),
            "x = 0\nthread main\n  2 -> 0: [x = 3]; x := x + 1\n");
}
TEST(TidyEdges, AValueOfBeforeIsNotTheOneOfNow) {
  EXPECT_EQ(tidied({{2, 0, {set(own, x(0), wide), set(0, n(7), wide), guard(x(own), Predicate::Eq, n(3))}}}),
            "x = 0\nthread main\n  2 -> 0: own0 := x; x := 7; [own0 = 3]\n");
}
TEST(TidyEdges, WhatMayWrapIsNotPutIntoGuards) {
  EXPECT_EQ(tidied({{2, 0, {set(own, x(0, 1), narrow), guard(x(own), Predicate::Eq, n(3)), set(0, x(own), wide)}}}),
            "x = 0\nthread main\n  2 -> 0: own0 := x + 1; [own0 = 3]; x := x + 1\n");
}
TEST(TidyEdges, WhatWouldWrapAtTwoPlacesIsNotPutIn) {
  EXPECT_EQ(tidied({{2, 0, {set(own, x(0, 1), wide), set(0, x(own), narrow)}}}),
            "x = 0\nthread main\n  2 -> 0: own0 := x + 1; x := own0\n");
}
TEST(TidyEdges, AGuardOfAnythingGoes) {
  EXPECT_EQ(tidied({{2, 0, {Forget{own, wide}, guard(x(own), Predicate::Eq, n(3)), set(0, n(1), wide)}}}),
            "x = 0\nthread main\n  2 -> 0: x := 1\n");
  EXPECT_EQ(tidied({{2, 0, {Forget{own, wide}, guard(x(own), Predicate::Eq, n(3)), set(0, x(own), wide)}}}),
            "x = 0\nthread main\n  2 -> 0: own0 := ?; [own0 = 3]; x := own0\n");
}
TEST(TidyEdges, WhoWaitsStaysWhereItIs) {
  const std::vector<WrittenStep> waits{{2, 2, {take(0), guard(x(0), Predicate::Ne, n(0)), give(0)}}};
  EXPECT_EQ(tidied(waits), "x = 0\nthread main\n");
  // Whether it has the lock already shows only if it takes it.
  EXPECT_EQ(tidied(waits, false), "x = 0\nthread main\n  2* -> 2: take m; [x != 0]; give m\n");
  EXPECT_EQ(tidied({{2, 2, {guard(x(0), Predicate::Ne, n(0)), set(0, n(1), wide)}}}),
            "x = 0\nthread main\n  2* -> 2: [x != 0]; x := 1\n");
  EXPECT_EQ(tidied({{2, 2, {take(0)}}}), "x = 0\nthread main\n  2* -> 2: take m\n");
}
TEST(TidyEdges, AWiderEdgeIsEnough) {
  EXPECT_EQ(tidied({{2, 0, {guard(x(0), Predicate::Eq, n(3)), set(0, n(1), wide)}}, {2, 0, {set(0, n(1), wide)}}}),
            "x = 0\nthread main\n  2 -> 0: x := 1\n");
  EXPECT_EQ(tidied({{2, 0, {set(0, n(1), wide), set(0, n(2), wide)}}, {2, 0, {set(0, n(2), wide)}}}),
            "x = 0\nthread main\n  2 -> 0: x := 1; x := 2\n  2 -> 0: x := 2\n");
}

TEST(TakeNumbersApart, ASignForEachNumber) {
  Model one = model({{"s", 2, wide}}, {},
                    {{"main", {{2, 3, {set(0, n(5), wide)}}, {3, 0, {guard(x(0), Predicate::Ne, n(5))}}}}});
  take_numbers_apart(one);
  EXPECT_EQ(text_of(one),
            "s = ?\ns is 2 = 1\ns is 5 = 0\nthread main\n"
            "  2 -> 3: s is 2 := 0; s is 5 := 1\n  3 -> 0: [s is 5 = 0]; [s is 2 = 1]\n");
}
TEST(TakeNumbersApart, WhatIsAddedToStays) {
  Model one = model({{"s", 2, wide}}, {}, {{"main", {{2, 3, {set(0, n(5), wide)}}, {3, 0, {set(0, x(0, 1), wide)}}}}});
  const std::string before = text_of(one);
  take_numbers_apart(one);
  EXPECT_EQ(text_of(one), before);
}

TEST(SkipSilentPoints, OfWhatDoesNothingNothingIsLeft) {
  Model one =
      model({{"x", 0, wide}}, {}, {{"main", {{2, 3, {}}, {2, 4, {}}, {3, 5, {}}, {4, 5, {}}, {5, 0, {visit(0)}}}}});
  skip_silent_points(one.threads[0]);
  EXPECT_EQ(text_of(one), "x = 0\nthread main\n  2 -> 0: at 0:0\n");
}
TEST(SkipSilentPoints, AChoiceStays) {
  Model one = model({{"x", 0, wide}}, {}, {{"main", {{2, 3, {}}, {2, 4, {}}, {3, 0, {visit(0)}}, {4, 0, {visit(1)}}}}});
  const std::string before = text_of(one);
  skip_silent_points(one.threads[0]);
  EXPECT_EQ(text_of(one), before);
}
TEST(SkipSilentPoints, WhoGoesRoundForEverStaysThere) {
  Model one = model({{"x", 0, wide}}, {}, {{"main", {{2, 3, {}}, {3, 2, {}}}}});
  skip_silent_points(one.threads[0]);
  EXPECT_EQ(one.threads[0].points.size(), 3U);
}

bool goes_on(const std::vector<WrittenStep>& steps) {
  return proof::transaction::always_goes_on(
      model({{"x", 0, wide}}, {"m"}, {{"main", steps}}).threads[0].points[Thread::begin]);
}

TEST(AlwaysGoesOn, IfSomeWayIsOpenWhateverTheNumbersAre) {
  const Act is_0 = guard(x(0), Predicate::Eq, n(0)), is_not_0 = guard(x(0), Predicate::Ne, n(0)),
            is_1 = guard(x(0), Predicate::Eq, n(1)), is_not_1 = guard(x(0), Predicate::Ne, n(1));
  EXPECT_TRUE(goes_on({{2, 0, {}}}));
  EXPECT_TRUE(goes_on({{2, 0, {is_0}}, {2, 0, {is_not_0}}}));
  EXPECT_TRUE(goes_on({{2, 0, {take(0), is_0, give(0)}}, {2, 3, {take(0), is_not_0}}}));
  EXPECT_TRUE(goes_on({{2, 0, {is_0}}, {2, 0, {is_not_0, is_1}}, {2, 0, {is_not_0, is_not_1}}}));
  EXPECT_TRUE(goes_on({{2, 0, {is_0}}, {2, 0, {is_1}}, {2, 0, {is_not_0, is_not_1}}}));
  EXPECT_FALSE(goes_on({}));
  EXPECT_FALSE(goes_on({{2, 0, {is_0}}}));
  EXPECT_FALSE(goes_on({{2, 0, {is_0}}, {2, 0, {is_not_1}}}));
  EXPECT_FALSE(goes_on({{2, 0, {is_0}}, {2, 0, {is_not_0, is_1}}}));
  EXPECT_FALSE(goes_on({{2, 0, {set(0, n(1), wide), is_0}}, {2, 0, {is_not_0}}}));
}

/// Main waits for ever for x to be 1; two others meet meanwhile.
TEST(TransactionGraph, WhoIsStuckKeepsNobodyWaiting) {
  const Model stuck =
      model({{"x", 0, {-100, 100}}}, {},
            {{"main", {{2, 3, {start(1)}}, {3, 4, {start(2)}}, {4, 0, {guard(x(0), Predicate::Eq, n(1))}}}},
             {"a", {{2, 0, {visit(0)}}}},
             {"b", {{2, 3, {}}, {3, 0, {visit(1)}}}}});
  Effort effort{1'000};
  EXPECT_TRUE(settle(stuck, {{place(0), place(1)}}, effort).claims.empty());
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::judge::transaction
