// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "locks/consistency.h"

namespace heddle::locks {
namespace HEDDLE_TEST_FILE {

using State = LockState<std::string>;
using May = LockState<std::string, Bound::Upper>;

std::string text(const AcquiredSet<std::string>& set) {
  std::string out = "{";
  for (const auto& taken : set)
    out += (out.size() > 1 ? "," : "") + taken.lock + (taken.mode == Mode::Shared ? "(s)" : "");
  return out + "}";
}

/// "a:{b} c:{}", as CAV07 writes histories.
template <Bound bound>
std::string rows(const LockState<std::string, bound>& state) {
  std::string out;
  for (const auto& row : state.history.rows) out += (out.empty() ? "" : " ") + row.lock + ":" + text(row.since);
  return out;
}

/// "+a -b wc +d(s)": lock a, unlock b, wait on a condition with c, lock d shared.
template <class S = State>
S after(const std::string& word, S state = {}) {
  std::istringstream steps(word);
  for (std::string step; steps >> step;) {
    const bool is_shared = step.ends_with("(s)");
    const std::string lock = step.substr(1, step.size() - 1 - (is_shared ? 3 : 0));
    if (step[0] == '+') state.acquire(lock, is_shared ? Mode::Shared : Mode::Exclusive);
    if (step[0] == '-') state.release(lock);
    if (step[0] == 'w') state.wait(lock);
  }
  return state;
}

TEST(AcquisitionHistory, TheExamplesOfItsHeader) {
  EXPECT_EQ(rows(after("+a +b -b")), "a:{b}");
  EXPECT_EQ(rows(after("+a +b -b -a +a")), "a:{}");
  EXPECT_EQ(rows(after("+a +b wb")), "a:{b} b:{}");
}

TEST(AcquisitionHistory, AcquireGoesToAllThatAreHeld) {
  EXPECT_EQ(rows(after("+a +b +c")), "a:{b,c} b:{c} c:{}");
  EXPECT_EQ(rows(after<May>("+a +b +c")), "a:{b,c} b:{c} c:{}");
}

TEST(AcquisitionHistory, ReleaseEndsTheHistoryOfThatLockOnly) {
  EXPECT_EQ(rows(after("+a +b +c -a")), "b:{c} c:{}");
  EXPECT_EQ(rows(after("+a +b +c -b")), "a:{b,c} c:{}");
}

TEST(AcquisitionHistory, RecursiveLocksCountFromTheirFirstHold) {
  EXPECT_EQ(rows(after("+a +b -b +a")), "a:{b}");
  EXPECT_EQ(rows(after("+a +b +a -a")), "a:{b} b:{a}");
  EXPECT_EQ(rows(after("+a +b +a -a -a")), "b:{a}");
}

TEST(AcquisitionHistory, AWaitBeginsAnewAndShowsToTheOthers) {
  EXPECT_EQ(rows(after("+m +a -a wm")), "m:{}");
  EXPECT_EQ(rows(after("+o +m +a -a wm")), "m:{} o:{a,m}");
  EXPECT_EQ(rows(after<May>("+o +m +a -a wm")), "m:{} o:{a,m}");
  // The mutex of a caller: its history is gone, and what is acquired from now on is known.
  EXPECT_EQ(rows(compose(after("+m +a -a"), after("wm +b -b"))), "m:{b}");
}

TEST(AcquisitionHistory, ModesAreKept) {
  EXPECT_EQ(rows(after("+a +r(s) -r")), "a:{r(s)}");
  EXPECT_EQ(rows(after("+a +r(s) -r +r -r")), "a:{r}");
  EXPECT_EQ(rows(join(after("+a +r -r"), after("+a +r(s) -r"))), "a:{r(s)}");
  EXPECT_EQ(rows(join(after<May>("+a +r -r"), after<May>("+a +r(s) -r"))), "a:{r}");
}

TEST(AcquisitionHistory, PathsThatMeet) {
  EXPECT_EQ(rows(join(after("+a +b -b"), after("+a +b -b +c -c"))), "a:{b}");
  EXPECT_EQ(rows(join(after("+a"), after("+b"))), "");
  EXPECT_EQ(rows(join(after<May>("+a +b -b"), after<May>("+a +c -c"))), "a:{b,c}");
  EXPECT_EQ(rows(join(after<May>("+a"), after<May>("+b"))), "a:{} b:{}");
  // A try-lock: taken or not.
  const State before = after("+a");
  EXPECT_EQ(rows(join(before, after("+b", before))), "a:{}");
}

TEST(AcquisitionHistory, CalleesAddToWhatTheirCallersHold) {
  EXPECT_EQ(rows(compose(after("+a +b"), after("+c -c"))), "a:{b,c} b:{c}");
  EXPECT_EQ(rows(compose(after("+a"), after("+b"))), "a:{b} b:{}");
  EXPECT_EQ(text(after("+c -c").history.since_entry), "{c}");
  EXPECT_EQ(text(compose(after("+b -b"), after("+c -c")).history.since_entry), "{b,c}");
}

TEST(AcquisitionHistory, WhatACalleeGivesBackBeginsAnew) {
  EXPECT_EQ(rows(compose(after("+a +b -b"), after("-a"))), "");
  EXPECT_EQ(rows(compose(after("+a +b -b"), after("-a +a"))), "a:{}");
  // Only perhaps, which the lockset no longer shows: a is held, but not all the time.
  const State perhaps = join(after("-a +a"), State{});
  EXPECT_TRUE(perhaps.lockset.is_empty());
  EXPECT_NE(compose(after("+a +b -b"), perhaps).lockset.find("a"), nullptr);
  EXPECT_EQ(rows(compose(after("+a +b -b"), perhaps)), "");
  EXPECT_EQ(rows(compose(after<May>("+a +b -b"), join(after<May>("-a +a"), May{}))), "a:{b}");
  // One of two holds: held all the time.
  EXPECT_EQ(rows(compose(after("+a +a +b -b"), after("-a +a"))), "a:{b}");
  EXPECT_EQ(rows(compose(after("+a +a +b -b"), after("-a -a +a +a"))), "a:{}");
  // Taken perhaps and given back surely: nothing of the caller's is surely gone.
  May state = join(after<May>("+a"), May{});
  EXPECT_TRUE(after("-a", state).history.interrupted.empty());
  EXPECT_FALSE(after("-a -a", state).history.interrupted.empty());
  state = join(after<May>("-a +a +a"), May{});
  EXPECT_TRUE(after("-a", state).history.interrupted.empty());
  // Given back by us, then by the callee: two deep from our caller's point of view.
  EXPECT_EQ(after("-a -a").history.interrupted, compose(after("-a"), after("-a")).history.interrupted);
}

TEST(AcquisitionHistory, TheDeepestPointOfTwoPaths) {
  const auto deep = [](const auto& once, const auto& twice) { return join(once, twice).history.interrupted; };
  using Gone = std::vector<Interruption<std::string>>;
  EXPECT_EQ(deep(after("-a +a"), after("-a -a +a")), (Gone{{"a", 2}}));
  EXPECT_EQ(deep(after<May>("-a +a"), after<May>("-a -a +a")), (Gone{{"a", 1}}));
  EXPECT_EQ(deep(after("-a +a"), State{}), (Gone{{"a", 1}}));
  EXPECT_EQ(deep(after<May>("-a +a"), May{}), Gone{});
  // Giving back again what was taken again goes no deeper.
  EXPECT_EQ(after("-a +a -a").history.interrupted, (Gone{{"a", 1}}));
  EXPECT_EQ(after("-a -a +a +a -a").history.interrupted, (Gone{{"a", 2}}));
  EXPECT_TRUE(leq(after("-a").history, after("-a -a").history));
  EXPECT_FALSE(leq(after("-a -a").history, after("-a").history));
}

TEST(AcquisitionHistory, AVagueReleaseMayEndAny) {
  const auto vague = [](const std::string& released, const std::string&) { return released == "*"; };
  State state = after("+a +b");
  state.release("*", vague);
  EXPECT_EQ(rows(state), "");
  EXPECT_EQ(rows(compose(after("+a +b"), after("-*"), vague)), "");
  EXPECT_EQ(rows(compose(after("+a +b"), after("-*"))), "a:{b} b:{}");
  // Our own hold of that name is what the callee gives back.
  EXPECT_EQ(rows(compose(after("+a +*"), after("-*"), vague)), "a:{*}");
}

TEST(AcquisitionHistory, ForgottenNames) {
  State state = after("+a +b +c");
  state.forget_if([](const std::string& name) { return name == "b"; });
  EXPECT_EQ(rows(state), "a:{c} c:{}");
  EXPECT_EQ(text(state.history.since_entry), "{a,c}");
  EXPECT_EQ(state.lockset.find("b"), nullptr);
}

TEST(AcquisitionHistory, WhatIsClaimedMore) {
  EXPECT_TRUE(leq(after("+a +b -b").history, after("+a").history));
  EXPECT_FALSE(leq(after("+a").history, after("+a +b -b").history));
  EXPECT_TRUE(leq(after("+a +b -b").history, after("+a +b(s) -b").history));
  EXPECT_FALSE(leq(after("+a +b(s) -b").history, after("+a +b -b").history));
  EXPECT_TRUE(leq(after<May>("+a").history, after<May>("+a +b -b").history));
  EXPECT_FALSE(leq(after<May>("+a +b -b").history, after<May>("+a").history));
  EXPECT_FALSE(leq(after("-a +a").history, after("+a").history));
  EXPECT_TRUE(leq(after("+a"), State{}));
  EXPECT_FALSE(leq(after("+a"), after("+a +a"))) << "the histories are alike, the locksets are not";
  EXPECT_FALSE(leq(join(after("+a"), State{}), after("+a")));
}

TEST(AcquisitionHistory, ALoopThatGivesBackSettles) {
  const State head = widen(State{}, after("-a"));
  EXPECT_EQ(widen(head, compose(head, after("-a"))), head);
  EXPECT_EQ(rows(compose(after("+a +a +a"), head)), "");
}

/// CAV07, Figure 2: threads T1 and T2 with the places at which x is accessed.
struct Figure2 {
  std::string at_6a = "+lk1 +lk2 -lk2";
  std::string at_2b = "+lk2";
  std::string at_6b = "+lk2 +lk1 -lk1";
  std::string at_9b = "+lk2 +lk1 -lk1 -lk2 +lk2";
};

TEST(Consistency, HistoriesOfFigure2) {
  const Figure2 figure;
  EXPECT_EQ(rows(after(figure.at_6a)), "lk1:{lk2}");
  EXPECT_EQ(rows(after(figure.at_6b)), "lk2:{lk1}");
  EXPECT_EQ(rows(after(figure.at_2b)), "lk2:{}");
  EXPECT_EQ(rows(after(figure.at_9b)), "lk2:{}");
}

TEST(Consistency, Figure2HasOneInconsistentPair) {
  const Figure2 figure;
  const State e1 = after(figure.at_6a);
  EXPECT_EQ(find_inconsistency(e1, after(figure.at_6b)), (Inconsistency<std::string>{"lk1", "lk2"}));
  EXPECT_EQ(find_inconsistency(after(figure.at_6b), e1), (Inconsistency<std::string>{"lk2", "lk1"}));
  EXPECT_EQ(find_inconsistency(e1, after(figure.at_2b)), std::nullopt);
  EXPECT_EQ(find_inconsistency(e1, after(figure.at_9b)), std::nullopt);
}

TEST(Consistency, Figure2Covers) {
  const Figure2 figure;
  // (6a, 9b) stands under (6a, 2b), not under the impossible (6a, 6b) that locksets alone would choose.
  EXPECT_TRUE(must_be_weaker(after<May>(figure.at_2b), after(figure.at_9b)));
  EXPECT_FALSE(must_be_weaker(after<May>(figure.at_6b), after(figure.at_9b)));
  EXPECT_TRUE(must_hold_no_more(after<May>(figure.at_6b).lockset, after(figure.at_9b).lockset));
  EXPECT_TRUE(must_be_weaker(after<May>(figure.at_2b), after(figure.at_6b)));
}

TEST(Consistency, CoversNeedBoundsOnBothSides) {
  // On one path the earlier access has acquired more than its lower bound says.
  const auto at_earlier = [](auto state) { return join(after("+a", state), after("+a +b -b", state)); };
  EXPECT_TRUE(must_be_weaker(after<May>("+a"), after("+a")));
  EXPECT_FALSE(must_be_weaker(after<May>("+a"), State{}));
  EXPECT_FALSE(must_be_weaker(at_earlier(May{}), after("+a")));
  EXPECT_TRUE(must_be_weaker(at_earlier(May{}), after("+a +b -b")));
  EXPECT_FALSE(must_be_weaker(at_earlier(May{}), at_earlier(State{})));
}

TEST(Consistency, TwoReadersDoNotConflict) {
  EXPECT_TRUE(find_inconsistency(after("+a +r(s) -r"), after("+r +a -a")));
  EXPECT_TRUE(find_inconsistency(after("+a +r -r"), after("+r(s) +a -a")));
  EXPECT_FALSE(find_inconsistency(after("+a +r(s) -r"), after("+r(s) +a -a")));
  EXPECT_FALSE(find_inconsistency(after("+a(s) +r -r"), after("+r +a(s) -a")));
}

TEST(Consistency, NamesThatAreOneLock) {
  const auto alias = [](const std::string& a, const std::string& b) {
    return a == b || a == "also_" + b || b == "also_" + a;
  };
  EXPECT_FALSE(find_inconsistency(after("+a +b -b"), after("+also_b +also_a -also_a")));
  EXPECT_EQ(find_inconsistency(after("+a +b -b"), after("+also_b +also_a -also_a"), alias),
            (Inconsistency<std::string>{"a", "also_b"}));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::locks
