// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One lock: every short word of operations, from every entry, against what is really held; and each rule by itself.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "locks/lock_change.h"

namespace heddle::locks {
namespace HEDDLE_TEST_FILE {

constexpr auto lower = Bound::Lower;
constexpr auto upper = Bound::Upper;

/// u: unlock, x: lock exclusively, s: lock shared.
template <Bound bound>
LockChange change(std::string_view word) {
  LockChange out;
  for (const char c : word)
    out = compose<bound, Reentry::Possible>(out, c == 'u'   ? LockChange::giving_back()
                                                 : c == 's' ? LockChange::taking(Mode::Shared)
                                                            : LockChange::taking(Mode::Exclusive));
  return out;
}

struct Real {
  int count = 0;
  Mode mode = Mode::Exclusive;
};
/// What is held after the word; none: no execution gets to its end.
std::optional<Real> run(Real held, std::string_view word) {
  for (const char c : word) {
    if (c == 'u') {
      if (held.count-- == 0) return std::nullopt;
      continue;
    }
    const Mode mode = c == 's' ? Mode::Shared : Mode::Exclusive;
    if (held.count > 0 && held.mode != mode) return std::nullopt;
    held = {held.count + 1, mode};
  }
  return held;
}

const std::vector<std::string>& words(std::size_t length) {
  static std::vector<std::vector<std::string>> all{{""}};
  while (all.size() <= length) {
    all.push_back(all.back());
    for (const std::string& word : all[all.size() - 2])
      if (word.size() + 2 == all.size())
        for (const char* c : {"u", "x", "s"}) all.back().push_back(word + c);
  }
  return all[length];
}

std::vector<Real> entries() {
  return {{}, {1, Mode::Exclusive}, {1, Mode::Shared}, {2, Mode::Exclusive}, {2, Mode::Shared}, {3, Mode::Exclusive}};
}

LockChange of(Real held) { return LockChange::taking(held.mode, static_cast<std::uint8_t>(held.count)); }

template <Bound bound>
void expect_bound(const LockChange& code, Real entry, Real real, const std::string& what) {
  const LockChange all = compose<bound, Reentry::Possible>(entry.count == 0 ? LockChange{} : of(entry), code);
  if (bound == lower) {
    EXPECT_LE(all.acquired, real.count) << what;
    if (all.acquired > 0) EXPECT_GE(all.mode, real.mode) << what;
  } else {
    EXPECT_GE(all.acquired, real.count) << what;
    if (real.count > 0) EXPECT_LE(all.mode, real.mode) << what;
  }
}

TEST(LockChange, EveryShortWordFromEveryEntry) {
  int seen = 0;
  for (const std::string& word : words(6))
    for (const Real entry : entries())
      if (const auto real = run(entry, word)) {
        expect_bound<lower>(change<lower>(word), entry, *real, word);
        expect_bound<upper>(change<upper>(word), entry, *real, word);
        // The counts are exact.
        const LockChange all = compose<lower, Reentry::Possible>(of(entry), change<lower>(word));
        if (entry.count > 0) EXPECT_EQ(all.acquired, real->count) << word;
        ++seen;
      }
  EXPECT_GT(seen, 500);
}

TEST(LockChange, JoinsOfShortWordsHoldForBoth) {
  for (const std::string& a : words(4))
    for (const std::string& b : words(4))
      for (const Real entry : entries())
        if (const auto real = run(entry, a)) {
          expect_bound<lower>(join<lower>(change<lower>(a), change<lower>(b)), entry, *real, a + " or " + b);
          expect_bound<upper>(join<upper>(change<upper>(a), change<upper>(b)), entry, *real, a + " or " + b);
          expect_bound<lower>(widen<lower>(change<lower>(a), change<lower>(b)), entry, *real, a + " widened by " + b);
          expect_bound<lower>(widen<lower>(change<lower>(b), change<lower>(a)), entry, *real, b + " widened by " + a);
          expect_bound<upper>(widen<upper>(change<upper>(b), change<upper>(a)), entry, *real, b + " widened by " + a);
        }
}

TEST(LockChange, BracketsReduce) {
  EXPECT_EQ(change<lower>("xu"), LockChange{});
  EXPECT_EQ(change<lower>("su"), LockChange{});
  EXPECT_EQ(change<lower>("ux"), (LockChange{.acquired = 1, .released = 1}));
  EXPECT_EQ(change<lower>("uuxx"), (LockChange{.acquired = 2, .released = 2}));
  EXPECT_EQ(change<lower>("uxuu"), (LockChange{.released = 2}));
}

TEST(LockChange, JoinKeepsTheFewerAndLosesTheMore) {
  EXPECT_EQ(join<lower>(change<lower>("xx"), change<lower>("x")), change<lower>("x"));
  EXPECT_EQ(join<lower>(change<lower>("x"), change<lower>("s")), change<lower>("s"));
  EXPECT_EQ(join<lower>(change<lower>("u"), change<lower>("uu")), change<lower>("uu"));
  EXPECT_EQ(join<upper>(change<upper>("xx"), change<upper>("x")), change<upper>("xx"));
  EXPECT_EQ(join<upper>(change<upper>("x"), change<upper>("s")), change<upper>("x"));
  EXPECT_EQ(join<upper>(change<upper>("u"), change<upper>("uu")), change<upper>("u"));
}

TEST(LockChange, GivenBackAndTakenAgainIsAsBefore) {
  EXPECT_EQ(join<lower>(change<lower>("ux"), {}), LockChange{});
  // For reading only: still held, but no longer exclusively.
  const LockChange maybe_downgraded = join<lower>(change<lower>("us"), {});
  EXPECT_EQ(maybe_downgraded, (LockChange{.weakened = 1}));
  EXPECT_EQ((compose<lower, Reentry::Possible>(change<lower>("x"), maybe_downgraded)),
            (LockChange{.acquired = 1, .mode = Mode::Shared, .weakened = 0}));
  // Taken exclusively after that, it is again.
  EXPECT_EQ(join<lower>(change<lower>("usux"), {}), LockChange{});
}

TEST(LockChange, RecursionIsCountedOnBothSides) {
  const LockChange twice = change<lower>("xx");
  EXPECT_EQ((compose<lower, Reentry::Possible>(twice, change<lower>("u")).acquired), 1);
  EXPECT_EQ((compose<lower, Reentry::Possible>(twice, change<lower>("uu")).acquired), 0);
  EXPECT_EQ((compose<lower, Reentry::Possible>(twice, change<lower>("uuu"))), LockChange::giving_back());
}

TEST(LockChange, WithoutReentryACallersLockIsGivenBackOnce) {
  const LockChange once = compose<lower, Reentry::None>(LockChange::giving_back(), LockChange::giving_back());
  EXPECT_EQ(once, LockChange::giving_back());
  EXPECT_EQ((compose<lower, Reentry::None>(LockChange::taking(Mode::Exclusive), once)), LockChange{});
}

TEST(LockChange, LimitsAreOnTheSafeSide) {
  LockChange low, high;
  for (int i = 0; i < 300; ++i) {
    low = compose<lower, Reentry::Possible>(low, LockChange::taking(Mode::Exclusive));
    high = compose<upper, Reentry::Possible>(high, LockChange::taking(Mode::Exclusive));
  }
  EXPECT_EQ(low.acquired, Hold::most);
  EXPECT_EQ(high.acquired, LockChange::any);
  for (int i = 0; i < 20; ++i) {
    low = compose<lower, Reentry::Possible>(low, LockChange::giving_back());
    high = compose<upper, Reentry::Possible>(high, LockChange::giving_back());
  }
  EXPECT_EQ(low.acquired, 0);                 // claims nothing any more
  EXPECT_EQ(high.acquired, LockChange::any);  // and still fears any number
  LockChange lost;
  for (int i = 0; i < 300; ++i) lost = compose<lower, Reentry::Possible>(lost, LockChange::giving_back());
  EXPECT_EQ(lost.released, LockChange::any);
  EXPECT_EQ((compose<lower, Reentry::Possible>(change<lower>("xxx"), lost).released), LockChange::any);
  lost = compose<lower, Reentry::Possible>(lost, LockChange::taking(Mode::Exclusive));
  EXPECT_EQ(lost.loss(), LockChange::any);
}

TEST(LockChange, EachCoordinateIsPartOfTheOrder) {
  const auto is_below = [](std::string_view a, std::string_view b) {
    return leq<lower>(change<lower>(a), change<lower>(b));
  };
  EXPECT_TRUE(is_below("xx", "x"));
  EXPECT_FALSE(is_below("u", "uuux"));  // the one claims a hold, the other a smaller loss
  EXPECT_FALSE(is_below("uuux", "u"));
  EXPECT_TRUE(is_below("u", "uu"));
  EXPECT_FALSE(is_below("uu", "u"));
  EXPECT_TRUE(is_below("x", "s"));
  EXPECT_FALSE(is_below("s", "x"));
  EXPECT_FALSE(is_below("ux", "x"));
  EXPECT_TRUE(is_below("ux", ""));
  EXPECT_FALSE(is_below("us", ""));
  const auto is_within = [](std::string_view a, std::string_view b) {
    return leq<upper>(change<upper>(a), change<upper>(b));
  };
  EXPECT_TRUE(is_within("x", "xx"));
  EXPECT_FALSE(is_within("xx", "x"));
  EXPECT_TRUE(is_within("uu", "u"));
  EXPECT_FALSE(is_within("u", "uu"));
  EXPECT_TRUE(is_within("s", "x"));
  EXPECT_FALSE(is_within("x", "s"));
}

TEST(LockChange, WideningEndsAtOnce) {
  const LockChange grown = widen<lower>({}, change<lower>("u"));
  EXPECT_EQ(grown.released, LockChange::any);
  EXPECT_EQ(widen<lower>(grown, compose<lower, Reentry::Possible>(grown, change<lower>("u"))), grown);
  EXPECT_EQ(widen<upper>({}, change<upper>("x")).acquired, LockChange::any);
  EXPECT_EQ(widen<lower>(change<lower>("x"), change<lower>("xx")), change<lower>("x"));
}

TEST(Hold, CountsOnlyWhatIsRecursive) {
  const Hold once{.mode = Mode::Exclusive};
  EXPECT_EQ(once.taken_again(Mode::Exclusive, true), (Hold{Mode::Exclusive, 2}));
  EXPECT_EQ(once.taken_again(Mode::Exclusive, false), once);
  EXPECT_EQ(once.taken_again(Mode::Shared, false), Hold{Mode::Shared});
  EXPECT_EQ((Hold{Mode::Exclusive, Hold::most}).taken_again(Mode::Exclusive, true).count, Hold::most);
  EXPECT_EQ((Hold{Mode::Shared, 2}).given_back(), (Hold{Mode::Shared, 1}));
  EXPECT_EQ(join(Hold{Mode::Exclusive, 2}, Hold{Mode::Shared, 1}), (Hold{Mode::Shared, 1}));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::locks
