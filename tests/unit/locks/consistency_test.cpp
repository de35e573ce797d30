// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The decomposition theorem (CAV07, Theorem 7) against all interleavings of two threads: what lockset or history call
// impossible is not reachable, whatever the locks are used like; and for nested locks everything else is reachable.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <set>
#include <vector>

#include "locks/consistency.h"

namespace heddle::locks {
namespace HEDDLE_TEST_FILE {

struct Op {
  enum class Kind : std::uint8_t { Lock, LockShared, Unlock, Wait };
  Kind kind = Kind::Lock;
  int lock = 0;
};
using Code = std::vector<Op>;
using State = LockState<int>;

/// The state before each operation and at the end.
std::vector<State> states(const Code& code) {
  std::vector<State> out{State{}};
  for (const Op& op : code) {
    State next = out.back();
    switch (op.kind) {
      case Op::Kind::Lock: next.acquire(op.lock, Mode::Exclusive); break;
      case Op::Kind::LockShared: next.acquire(op.lock, Mode::Shared); break;
      case Op::Kind::Unlock: next.release(op.lock); break;
      case Op::Kind::Wait: next.wait(op.lock); break;
    }
    out.push_back(std::move(next));
  }
  return out;
}

/// All pairs of places that two threads can be at, by trying everything.
class Interleavings {
 public:
  Interleavings(const Code& a, const Code& b) : code_{&a, &b} { visit({}); }
  [[nodiscard]] bool reaches(std::size_t a, std::size_t b) const { return places_.contains({a, b}); }

 private:
  static constexpr int locks = 3;
  struct Global {
    std::array<std::size_t, 2> at{};
    std::array<bool, 2> waits{};  // inside a wait: the mutex is given back, to be taken again
    std::array<std::array<int, locks>, 2> exclusive{};
    std::array<std::array<int, locks>, 2> shared{};
    friend auto operator<=>(const Global&, const Global&) = default;
  };

  static bool may_take(const Global& g, std::size_t other, int lock, bool is_shared) {
    const auto l = static_cast<std::size_t>(lock);
    return g.exclusive[other][l] == 0 && (is_shared || g.shared[other][l] == 0);
  }

  void visit(const Global& g) {
    if (!seen_.insert(g).second) return;
    if (!g.waits[0] && !g.waits[1]) places_.insert({g.at[0], g.at[1]});
    for (const std::size_t t : {0U, 1U})
      if (g.at[t] < code_[t]->size()) step(g, t);
  }

  void step(Global g, std::size_t t) {
    const Op& op = (*code_[t])[g.at[t]];
    const auto l = static_cast<std::size_t>(op.lock);
    switch (op.kind) {
      case Op::Kind::Lock:
      case Op::Kind::LockShared: {
        const bool is_shared = op.kind == Op::Kind::LockShared;
        if (!may_take(g, 1 - t, op.lock, is_shared)) return;
        ++(is_shared ? g.shared : g.exclusive)[t][l];
        break;
      }
      case Op::Kind::Unlock: --(g.shared[t][l] > 0 ? g.shared : g.exclusive)[t][l]; break;
      case Op::Kind::Wait:
        if (!g.waits[t]) {
          g.waits[t] = true;
          --g.exclusive[t][l];
          return visit(g);
        }
        if (!may_take(g, 1 - t, op.lock, false)) return;
        g.waits[t] = false;
        ++g.exclusive[t][l];
        break;
    }
    ++g.at[t];
    visit(g);
  }

  std::array<const Code*, 2> code_;
  std::set<Global> seen_;
  std::set<std::pair<std::size_t, std::size_t>> places_;
};

struct Tally {
  int pairs = 0, excluded = 0, refuted = 0, reached = 0;
};

/// Checks all pairs of places of two threads. `is_exact`: what is not refuted must be reached.
void check(const Code& a, const Code& b, bool is_exact, Tally& tally) {
  const Interleavings real(a, b);
  const auto first = states(a), second = states(b);
  for (std::size_t i = 0; i < first.size(); ++i)
    for (std::size_t k = 0; k < second.size(); ++k) {
      const auto same = [](const HeldLock<int>& x, const HeldLock<int>& y) { return x.lock == y.lock; };
      const bool is_excluded =
          find_exclusion(first[i].lockset.acquired, second[k].lockset.acquired, same).first != nullptr;
      const auto refuted = find_inconsistency(first[i], second[k]);
      ++tally.pairs;
      tally.excluded += is_excluded ? 1 : 0;
      tally.refuted += refuted && !is_excluded ? 1 : 0;
      tally.reached += real.reaches(i, k) ? 1 : 0;
      if (is_excluded || refuted)
        ASSERT_FALSE(real.reaches(i, k)) << "refuted, but two threads get there: " << i << ", " << k;
      else if (is_exact)
        ASSERT_TRUE(real.reaches(i, k)) << "neither locks nor histories forbid it: " << i << ", " << k;
    }
}

/// Every properly nested code of this length over these locks, in which no lock is taken twice at a time.
void nested(std::size_t length, int locks, Code& code, std::vector<int>& held, std::vector<Code>& out) {
  out.push_back(code);
  if (code.size() == length) return;
  if (!held.empty()) {
    const int last = held.back();
    held.pop_back();
    code.push_back({Op::Kind::Unlock, last});
    nested(length, locks, code, held, out);
    code.pop_back();
    held.push_back(last);
  }
  for (int lock = 0; lock < locks; ++lock) {
    if (std::ranges::find(held, lock) != held.end()) continue;
    held.push_back(lock);
    code.push_back({Op::Kind::Lock, lock});
    nested(length, locks, code, held, out);
    code.pop_back();
    held.pop_back();
  }
}

std::vector<Code> all_nested(std::size_t length, int locks) {
  std::vector<Code> out;
  Code code;
  std::vector<int> held;
  nested(length, locks, code, held, out);
  std::erase_if(out, [&](const Code& c) { return c.size() != length; });
  return out;
}

TEST(Consistency, EveryPairOfNestedThreadsOfTwoLocksIsDecided) {
  Tally tally;
  const auto codes = all_nested(6, 2);
  for (const Code& a : codes)
    for (const Code& b : codes) {
      check(a, b, true, tally);
      if (testing::Test::HasFatalFailure()) return;
    }
  EXPECT_GT(tally.refuted, 100) << "histories decide more than locksets";
  EXPECT_GT(tally.reached, tally.pairs / 4);
}

TEST(Consistency, NestedThreadsOfThreeLocksAreDecided) {
  Tally tally;
  std::mt19937 random(1);
  const auto codes = all_nested(8, 3);
  for (int i = 0; i < 1500; ++i) {
    check(codes[random() % codes.size()], codes[random() % codes.size()], true, tally);
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(tally.refuted, 100);
}

/// Any code that one thread alone can run to its end: not nested, with recursion, shared modes and waits.
Code random_code(std::mt19937& random) {
  Code out;
  std::array<int, 3> exclusive{}, shared{};
  while (out.size() < 9) {
    const int lock = static_cast<int>(random() % 3);
    const auto l = static_cast<std::size_t>(lock);
    const auto dice = random() % 8;
    if (dice < 3 && shared[l] == 0 && exclusive[l] < 2) {
      out.push_back({Op::Kind::Lock, lock});
      ++exclusive[l];
    } else if (dice < 5 && exclusive[l] == 0 && shared[l] < 2) {
      out.push_back({Op::Kind::LockShared, lock});
      ++shared[l];
    } else if (dice < 7 && exclusive[l] + shared[l] > 0) {
      out.push_back({Op::Kind::Unlock, lock});
      --(shared[l] > 0 ? shared : exclusive)[l];
    } else if (dice == 7 && exclusive[l] > 0) {
      out.push_back({Op::Kind::Wait, lock});
    }
  }
  return out;
}

TEST(Consistency, NothingReachableIsRefutedWhateverTheLocksAreUsedLike) {
  Tally tally;
  std::mt19937 random(2);
  for (int i = 0; i < 3000; ++i) {
    check(random_code(random), random_code(random), false, tally);
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(tally.refuted, 100);
  EXPECT_GT(tally.reached, tally.pairs / 20);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::locks
