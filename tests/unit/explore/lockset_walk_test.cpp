// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locksets along a thread with the sides that it did not take: the figures of ATVA08, and its two theorems on random
// structured code, all of whose paths are enumerated.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "explore/prune/lockset_walk.h"

namespace heddle::explore {
namespace HEDDLE_TEST_FILE {

using Locks = std::set<std::uint64_t>;

constexpr std::uint64_t A = 1, B = 2, C = 3, D = 4, E = 5;

LockUpdate update(const Locks& acquired, const Locks& released) {
  LockUpdate result;
  for (const std::uint64_t lock : acquired) result.acquired.push_back({lock, any_region});
  result.addresses.assign(released.begin(), released.end());
  return result;
}

std::set<Locks> sets_of(const Ways& ways) {
  std::set<Locks> sets;
  for (const Way& way : ways) {
    Locks locks;
    for (const HeldLock& lock : way.locks) locks.insert(lock.address);
    sets.insert(std::move(locks));
  }
  return sets;
}

using Sets = std::set<Locks>;

TEST(LocksetWalk, FigureThreeWhenTheConditionHolds) {
  Side other;
  other.ends = {update({C}, {})};
  LocksetWalk walk{Way{}};
  walk.acquire({B});
  walk.begin(&other);
  EXPECT_EQ(sets_of(walk.ways_behind(update({C}, {}))), (Sets{{B, C}}));  // x in the else-branch
  walk.acquire({A});
  EXPECT_EQ(sets_of(walk.ways()), (Sets{{A, B}}));  // x
  walk.release(A);
  EXPECT_EQ(sets_of(walk.ways()), (Sets{{B}}));  // y
  walk.acquire({C});
  walk.end();
  EXPECT_EQ(sets_of(walk.ways()), (Sets{{B, C}}));  // z
  walk.release(C);
  walk.release(B);
  EXPECT_EQ(sets_of(walk.ways()), (Sets{{}}));
}

TEST(LocksetWalk, FigureThreeWhenItDoesNot) {
  Side other;
  other.ends = {update({A, C}, {A})};
  LocksetWalk walk{Way{}};
  walk.acquire({B});
  walk.begin(&other);
  EXPECT_EQ(sets_of(walk.ways_behind(update({A}, {}))), (Sets{{A, B}}));  // x in the if-branch
  EXPECT_EQ(sets_of(walk.ways_behind(update({A}, {A}))), (Sets{{B}}));    // y there
  walk.acquire({C});
  walk.end();
  EXPECT_EQ(sets_of(walk.ways()), (Sets{{B, C}}));  // z
}

/// The unobserved branch has two branches of its own, each with its update.
TEST(LocksetWalk, FigureSixWithTwoBranchesOnTheOtherSide) {
  Side other;
  other.ends = {update({C}, {}), update({D}, {B})};
  LocksetWalk walk{Way{}};
  walk.acquire({B});
  walk.begin(&other);
  walk.acquire({A});
  walk.end();
  EXPECT_EQ(sets_of(walk.ways()), (Sets{{A, B}, {B, C}, {D}}));
}

/// The observed branch contains another observed one: the update of the outer waits until the inner is over.
TEST(LocksetWalk, FigureSixWithABranchInTheObservedOne) {
  Side outer, inner;
  outer.ends = {update({C}, {})};
  inner.ends = {update({D}, {})};
  LocksetWalk walk{Way{}};
  walk.begin(&outer);
  walk.acquire({A});
  walk.begin(&inner);
  walk.acquire({B});
  walk.end();
  EXPECT_EQ(sets_of(walk.ways()), (Sets{{A, B}, {A, D}}));
  walk.acquire({E});
  walk.end();
  EXPECT_EQ(sets_of(walk.ways()), (Sets{{A, B, E}, {A, D, E}, {C}}));
}

TEST(LocksetWalk, ADecidedBranchHasNoOtherSide) {
  LocksetWalk walk{Way{}};
  walk.acquire({A});
  walk.begin(nullptr);
  walk.acquire({B});
  walk.end();
  EXPECT_EQ(sets_of(walk.ways()), (Sets{{A, B}}));
}

TEST(LocksetWalk, AWeakerWayStandsForAStrongerOne) {
  Side other;
  other.ends = {update({}, {A})};
  LocksetWalk walk{Way{}};
  walk.acquire({A});
  walk.begin(&other);
  walk.end();
  EXPECT_EQ(sets_of(walk.ways()), (Sets{{}}));
}

TEST(LocksetWalk, TooManyWaysBecomeTheirIntersection) {
  LocksetWalk walk{Way{}};
  walk.acquire({A});
  for (std::uint64_t lock = 10; lock < 20; lock += 2) {
    Side other;
    other.ends = {update({lock}, {})};
    walk.begin(&other);
    walk.acquire({lock + 1});
    walk.end();
  }
  EXPECT_EQ(sets_of(walk.ways()), (Sets{{A}}));
}

TEST(LocksetWalk, AReleaseThroughAPointerTakesTheLocksOfItsRegion) {
  LocksetWalk walk{Way{}};
  walk.acquire({A, 7});
  walk.acquire({B, 8});
  walk.acquire({C, any_region});
  walk.release_region(7);
  EXPECT_EQ(sets_of(walk.ways()), (Sets{{B}}));
}

TEST(LocksetWalk, TwoReadersDoNotExcludeEachOther) {
  LocksetWalk reader{Way{}}, writer{Way{}};
  reader.acquire({A}, true);
  writer.acquire({A}, false);
  EXPECT_FALSE(have_common_lock(reader.ways().front(), reader.ways().front()));
  EXPECT_TRUE(have_common_lock(reader.ways().front(), writer.ways().front()));
  EXPECT_TRUE(have_common_lock(writer.ways().front(), writer.ways().front()));
}

TEST(LocksetWalk, AJoinCountsOnTheWaysThatHaveIt) {
  Side other;
  other.ends = {update({}, {})};
  LocksetWalk walk{Way{}};
  walk.begin(&other);
  walk.join(3);
  EXPECT_TRUE(intersection(walk.ways()).has_joined(3));
  walk.end();
  EXPECT_FALSE(intersection(walk.ways()).has_joined(3));
}

// --- the theorems

struct Statement;
using Code = std::vector<Statement>;
struct Statement {
  enum class Kind { Lock, Unlock, Access, If } kind = Kind::Access;
  std::uint64_t object = 0;
  Code sides[2] = {};
};

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}
  Code code(int depth) {
    Code result;
    for (std::uint64_t n = 1 + random_() % 4; n > 0; --n) {
      Statement& one = result.emplace_back();
      one.object = A + random_() % 4;
      switch (random_() % (depth > 0 ? 5 : 3)) {
        case 0: one.kind = Statement::Kind::Lock; break;
        case 1: one.kind = Statement::Kind::Unlock; break;
        case 2: break;
        default:
          one.kind = Statement::Kind::If;
          one.sides[0] = code(depth - 1);
          if (random_() % 3 != 0) one.sides[1] = code(depth - 1);
      }
    }
    return result;
  }
  bool toss() { return random_() % 2 != 0; }

 private:
  std::mt19937_64 random_;
};

/// What is held, also as an update of what was held at the beginning.
struct Moment {
  Locks held, acquired, released;
};
struct Path : Moment {
  std::vector<std::pair<const Statement*, Moment>> accesses;
};

std::vector<Moment> ends_of(const std::vector<Path>& paths) { return {paths.begin(), paths.end()}; }

std::vector<Path> paths_through(const Code& code, std::vector<Path> from) {
  for (const Statement& one : code) {
    std::vector<Path> next;
    for (Path& path : from) {
      switch (one.kind) {
        case Statement::Kind::Lock:
          path.held.insert(one.object);
          path.acquired.insert(one.object);
          path.released.erase(one.object);
          break;
        case Statement::Kind::Unlock:
          path.held.erase(one.object);
          path.acquired.erase(one.object);
          path.released.insert(one.object);
          break;
        case Statement::Kind::Access: path.accesses.emplace_back(&one, path); break;
        case Statement::Kind::If:
          for (const Code& side : one.sides)
            for (Path& through : paths_through(side, {path})) next.push_back(std::move(through));
          continue;
      }
      next.push_back(std::move(path));
    }
    from = std::move(next);
  }
  return from;
}

/// Follows one path of the code, as an execution does, and compares.
class Observation {
 public:
  Observation(Generator& random, bool is_merged) : random_(random), is_merged_(is_merged) {}

  void follow(const Code& code, std::vector<Path> all) {
    for (const Statement& one : code) {
      for (Path& path : all) path.accesses.clear();
      switch (one.kind) {
        case Statement::Kind::Lock: walk_.acquire({one.object}); break;
        case Statement::Kind::Unlock: walk_.release(one.object); break;
        case Statement::Kind::Access: break;
        case Statement::Kind::If: follow_branch(one, all); break;
      }
      all = paths_through({one}, all);
      expect_covered(walk_.ways(), ends_of(all));
    }
  }

  std::size_t compared = 0;

 private:
  void follow_branch(const Statement& branch, const std::vector<Path>& before) {
    const bool takes = random_.toss();
    const Code& other = branch.sides[takes ? 1 : 0];
    const std::vector<Path> relative = paths_through(other, {Path{}});
    Side side;
    for (const Path& path : relative) side.ends.push_back(update(path.acquired, path.released));
    if (is_merged_) side.ends = {merged(ends_of(relative))};
    walk_.begin(&side);
    // Theorem 2: every access of an unobserved path.
    for (const Path& start : before)
      for (const Path& path : paths_through(other, {start}))
        for (const auto& [access, here] : path.accesses) expect_covered(ways_of(access, relative), {here});
    follow(branch.sides[takes ? 0 : 1], before);
    walk_.end();
  }

  [[nodiscard]] Ways ways_of(const Statement* access, const std::vector<Path>& relative) const {
    std::vector<Moment> reaching;
    for (const Path& path : relative)
      for (const auto& [one, here] : path.accesses)
        if (one == access) reaching.push_back(here);
    if (is_merged_) return walk_.ways_behind(merged(reaching));
    Ways ways;
    for (const Moment& here : reaching)
      for (const Way& way : walk_.ways_behind(update(here.acquired, here.released))) ways.push_back(way);
    return ways;
  }

  /// As static analyses do: taken on all of them, released on one of them.
  static LockUpdate merged(const std::vector<Moment>& paths) {
    Locks acquired = paths.front().acquired, released;
    for (const Moment& path : paths) {
      std::erase_if(acquired, [&](std::uint64_t lock) { return !path.acquired.contains(lock); });
      released.insert(path.released.begin(), path.released.end());
    }
    return update(acquired, released);
  }

  /// Some way holds no more than the path does. Exact updates: and each way is a path's.
  void expect_covered(const Ways& ways, const std::vector<Moment>& paths) {
    const Sets sets = sets_of(ways);
    Sets real;
    for (const Moment& path : paths) {
      real.insert(path.held);
      ++compared;
      EXPECT_TRUE(std::ranges::any_of(sets, [&](const Locks& set) { return std::ranges::includes(path.held, set); }));
    }
    if (!is_merged_ && paths.size() > 1)
      for (const Locks& set : sets) EXPECT_TRUE(real.contains(set) || sets.size() == 1);
  }

  Generator& random_;
  bool is_merged_;
  LocksetWalk walk_{Way{}};
};

TEST(LocksetWalk, TheoremsOneAndTwoOnRandomCode) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    Generator random(seed);
    const Code code = random.code(2);
    if (paths_through(code, {Path{}}).size() > 60) continue;
    SCOPED_TRACE(seed);
    Observation observation(random, seed % 2 == 0);
    observation.follow(code, {Path{}});
    compared += observation.compared;
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(compared, 5'000U);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::explore
