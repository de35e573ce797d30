// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs: at every place of every path that is run, the lower bound claims nothing that is not so, the upper
// bound leaves nothing out. And the laws that a fixpoint rests on, for states that such programs give.
#include <gtest/gtest.h>

#include "locks/lock_program.h"

namespace heddle::locks::test {
namespace HEDDLE_TEST_FILE {

using Lower = LockState<int, Bound::Lower>;
using Upper = LockState<int, Bound::Upper>;

void expect_at_least(const Lower& claimed, const ConcreteLocks& real) {
  for (const HeldLock<int>& row : claimed.lockset.acquired) {
    const auto held = real.held().find(row.lock);
    ASSERT_NE(held, real.held().end()) << "lock " << row.lock << " is not held";
    EXPECT_GE(held->second.count, row.count);
    EXPECT_LE(held->second.mode, row.mode);
  }
  for (const HistoryRow<int>& row : claimed.history.rows) {
    const auto held = real.held().find(row.lock);
    if (held == real.held().end()) continue;
    for (const AcquiredLock<int>& taken : row.since) {
      const auto since = held->second.since.find(taken.lock);
      ASSERT_NE(since, held->second.since.end()) << taken.lock << " was not taken since " << row.lock;
      EXPECT_LE(since->second, taken.mode);
    }
  }
}

void expect_at_most(const Upper& allowed, const ConcreteLocks& real) {
  for (const auto& [lock, held] : real.held()) {
    const HeldLock<int>* row = allowed.lockset.find(lock);
    ASSERT_NE(row, nullptr) << "lock " << lock << " is held";
    EXPECT_LE(held.count, row->count);
    EXPECT_GE(held.mode, row->mode);
    const AcquiredSet<int>* since = allowed.history.find(lock);
    ASSERT_NE(since, nullptr);
    for (const auto& [taken, mode] : held.since) {
      const AcquiredLock<int>* other = find_row(*since, taken);
      ASSERT_NE(other, nullptr) << taken << " was taken since " << lock;
      EXPECT_GE(mode, other->mode);
    }
  }
}

TEST(LockPrograms, BoundsHoldAtEveryPlaceOfEveryPath) {
  std::mt19937 random(20071);
  std::size_t places = 0, locks = 0, claimed_locks = 0, claimed_rows = 0, deep_places = 0;
  for (int i = 0; i < 500 && !testing::Test::HasFailure(); ++i) {
    const LockProgram program = random_program(random, {.locks = 2 + i % 3, .has_shared = i % 2 == 0});
    const Analysis<Bound::Lower> lower(program);
    const Analysis<Bound::Upper> upper(program);
    for (int path = 0; path < 30; ++path)
      run(program, random, [&](const Place& place, const ConcreteLocks& real) {
        const Lower claimed = lower.at(place);
        expect_at_least(claimed, real);
        expect_at_most(upper.at(place), real);
        ++places;
        deep_places += place.size() > 1 ? 1 : 0;
        locks += real.held().size();
        claimed_locks += claimed.lockset.acquired.size();
        for (const auto& row : claimed.history.rows) claimed_rows += row.since.size();
      });
    if (testing::Test::HasFailure()) ADD_FAILURE() << "program " << i;
  }
  // The bounds are not empty words, and calls were entered.
  EXPECT_GT(places, 20'000U);
  EXPECT_GT(deep_places, places / 10);
  EXPECT_GT(claimed_locks, locks / 2);
  EXPECT_GT(claimed_rows, places / 20);
}

/// A straight piece of code, as operations.
std::vector<Step> random_word(std::mt19937& random, bool has_shared) {
  std::vector<Step> out(random() % 6);
  for (Step& s : out) {
    s.lock = static_cast<int>(random() % 3);
    s.mode = has_shared && s.lock == 0 ? Mode::Shared : Mode::Exclusive;
    const auto dice = random() % 8;
    s.kind = dice < 4 ? Step::Kind::Acquire : dice < 7 ? Step::Kind::Release : Step::Kind::Wait;
  }
  return out;
}

std::string text(const std::vector<Step>& word) {
  std::string out;
  for (const Step& s : word)
    out += std::string(s.kind == Step::Kind::Acquire   ? "+"
                       : s.kind == Step::Kind::Release ? "-"
                                                       : "w") +
           std::to_string(s.lock) + (s.mode == Mode::Shared ? "s " : " ");
  return out;
}

template <class State>
State after(State state, const std::vector<Step>& word) {
  for (const Step& s : word) {
    if (s.kind == Step::Kind::Acquire) state.acquire(s.lock, s.mode);
    if (s.kind == Step::Kind::Release) state.release(s.lock);
    if (s.kind == Step::Kind::Wait) state.wait(s.lock, s.mode);
  }
  return state;
}

template <class State>
State random_state(std::mt19937& random) {
  const bool has_shared = random() % 2 == 0;
  State out = after(State{}, random_word(random, has_shared));
  for (auto more = random() % 3; more > 0; --more) out = join(out, after(State{}, random_word(random, !has_shared)));
  return out;
}

template <class State>
class LockLaws : public testing::Test {};
using States = testing::Types<Lower, Upper, LockState<int, Bound::Lower, Reentry::None>>;
TYPED_TEST_SUITE(LockLaws, States);

/// Whether some caller can run this: it holds each lock once or not at all.
bool is_possible_without_reentry(const std::vector<Step>& word) {
  std::map<int, bool> is_held;  // a lock that is not here yet was held at the entry if that is what it takes
  for (const Step& s : word) {
    const bool needs_it = s.kind != Step::Kind::Acquire;
    if (is_held.try_emplace(s.lock, needs_it).first->second != needs_it) return false;
    if (s.kind != Step::Kind::Wait) is_held[s.lock] = !needs_it;
  }
  return true;
}

TYPED_TEST(LockLaws, ComposingIsInlining) {
  std::mt19937 random(4242);
  int compared = 0;
  for (int i = 0; i < 8'000; ++i) {
    const bool has_shared = i % 2 == 0;
    const auto first = random_word(random, has_shared);
    const auto second = random_word(random, has_shared);
    auto both = first;
    both.insert(both.end(), second.begin(), second.end());
    const bool has_reentry = !std::is_same_v<TypeParam, LockState<int, Bound::Lower, Reentry::None>>;
    if (!has_reentry && !is_possible_without_reentry(both)) continue;
    const TypeParam inlined = after(TypeParam{}, both);
    const TypeParam composed = compose(after(TypeParam{}, first), after(TypeParam{}, second));
    const std::string what = text(first) + "| " + text(second) + "\n" + to_text(inlined) + "\n" + to_text(composed);
    ASSERT_EQ(inlined, composed) << what;
    ++compared;
  }
  EXPECT_GT(compared, 500);
}

TYPED_TEST(LockLaws, JoinIsTheLeastUpperBound) {
  std::mt19937 random(99);
  for (int i = 0; i < 4'000; ++i) {
    const auto a = random_state<TypeParam>(random), b = random_state<TypeParam>(random),
               c = random_state<TypeParam>(random);
    ASSERT_EQ(join(a, a), a) << i;
    ASSERT_EQ(join(a, b), join(b, a)) << i;
    ASSERT_EQ(join(join(a, b), c), join(a, join(b, c))) << i;
    ASSERT_TRUE(leq(a, a)) << i;
    ASSERT_TRUE(leq(a, join(a, b))) << i;
    ASSERT_EQ(leq(a, b), join(a, b) == b) << i;
    ASSERT_TRUE(!leq(a, b) || leq(join(a, c), join(b, c))) << i;
  }
}

TYPED_TEST(LockLaws, OperationsAreMonotone) {
  std::mt19937 random(7);
  for (int i = 0; i < 4'000; ++i) {
    const auto a = random_state<TypeParam>(random);
    const auto b = join(a, random_state<TypeParam>(random));
    const auto word = random_word(random, i % 2 == 0);
    ASSERT_TRUE(leq(after(a, word), after(b, word))) << text(word) << '\n'
                                                     << to_text(a) << "\n  " << to_text(after(a, word)) << '\n'
                                                     << to_text(b) << "\n  " << to_text(after(b, word));
    const auto c = random_state<TypeParam>(random);
    ASSERT_TRUE(leq(compose(a, c), compose(b, c))) << to_text(a) << '\n' << to_text(b) << '\n' << to_text(c);
    ASSERT_TRUE(leq(compose(c, a), compose(c, b))) << to_text(a) << '\n' << to_text(b) << '\n' << to_text(c);
    ASSERT_EQ(compose(TypeParam{}, a), a) << i;
    ASSERT_EQ(compose(a, TypeParam{}), a) << i;
  }
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::locks::test
