// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <string>

#include "locks/relative_lockset.h"

namespace heddle::locks {
namespace HEDDLE_TEST_FILE {

using Set = RelativeLockset<std::string>;
using May = RelativeLockset<std::string, Bound::Upper>;
constexpr auto exclusive = Mode::Exclusive;
constexpr auto shared = Mode::Shared;

/// "({a, b*2, c (shared)}, {d})"
template <Bound bound, Reentry reentry>
std::string text(const RelativeLockset<std::string, bound, reentry>& set) {
  std::string out = "({";
  for (const auto& row : set.acquired)
    out += (out.size() > 2 ? ", " : "") + row.lock + (row.count != 1 ? "*" + std::to_string(row.count) : "") +
           (row.is_shared() ? " (shared)" : "");
  out += "}, {";
  const std::size_t begin = out.size();
  for (const auto& row : set.released)
    out += (out.size() > begin ? ", " : "") + row.lock + (row.count != 1 ? "*" + std::to_string(row.count) : "") +
           (row.weakened != 0 ? " (weakened)" : "");
  return out + "})";
}

/// "+a -b +c(s)": lock a, unlock b, lock c shared.
template <class S = Set>
S after(std::string_view word) {
  S out;
  while (!word.empty()) {
    const std::string_view step = word.substr(0, word.find(' '));
    word.remove_prefix(std::min(word.size(), step.size() + 1));
    const bool is_shared = step.ends_with("(s)");
    const std::string name(step.substr(1, step.size() - 1 - (is_shared ? 3 : 0)));
    if (step[0] == '+')
      out.acquire(name, is_shared ? shared : exclusive);
    else
      out.release(name);
  }
  return out;
}

TEST(RelativeLockset, TheExamplesOfItsHeader) {
  EXPECT_EQ(text(after("+a +b -a")), "({b}, {})");
  EXPECT_EQ(text(after("-a +b")), "({b}, {a})");
  EXPECT_EQ(text(after("-a +a")), "({a}, {a})");
  EXPECT_EQ(text(join(after("+a"), Set{})), "({}, {})");
  EXPECT_EQ(text(join(after("-a"), Set{})), "({}, {a})");
}

TEST(RelativeLockset, AcquireKeepsNamesSortedAndModes) {
  EXPECT_EQ(text(after("+c +a +b(s)")), "({a, b (shared), c}, {})");
  EXPECT_EQ(text(after("+a +a -a")), "({a}, {})");
  EXPECT_NE(after("+c +a").find("a"), nullptr);
  EXPECT_EQ(after("+c +a").find("b"), nullptr);
}

TEST(RelativeLockset, JoinIsByName) {
  EXPECT_EQ(text(join(after("+a +b"), after("+b +c"))), "({b}, {})");
  EXPECT_EQ(text(join(after("-a"), after("-b"))), "({}, {a, b})");
  EXPECT_EQ(text(join(after("+a(s)"), after("+a"))), "({a (shared)}, {})");
  EXPECT_EQ(text(join(after<May>("+a +b"), after<May>("+b +c"))), "({a, b, c}, {})");
  EXPECT_EQ(text(join(after<May>("-a"), after<May>("-b"))), "({}, {})");
  EXPECT_EQ(text(join(after<May>("-a -b"), after<May>("-b"))), "({}, {b})");
}

TEST(RelativeLockset, ComposeIsLockUpdate) {
  EXPECT_EQ(text(compose(after("+a"), after("+b"))), "({a, b}, {})");
  EXPECT_EQ(text(compose(after("+a"), after("-a"))), "({}, {})");
  EXPECT_EQ(text(compose(after("+a"), after("-a +b"))), "({b}, {})");
  EXPECT_EQ(text(compose(after("-a"), after("+a"))), "({a}, {a})");
  EXPECT_EQ(text(compose(after("+a +a"), after("-a -a"))), "({}, {})");
  EXPECT_EQ(text(compose(after("+a(s)"), after("-a +a"))), "({a}, {})");
}

/// `*m` is a lock m of some object, which may be any other m.
struct Vague {
  bool operator()(const std::string& released, const std::string& held) const {
    return released.front() == '*' && released.back() == held.back();
  }
};

TEST(RelativeLockset, AVagueReleaseMayBeAnyOfItsKind) {
  Set set = after("+p.m +q.m +q.n");
  set.release("*.m", Vague{});
  EXPECT_EQ(text(set), "({q.n}, {*.m})");
  // What is given back under a name we hold is that one, and no other.
  Set known = after("+p.m +*.m");
  known.release("*.m", Vague{});
  EXPECT_EQ(text(known), "({p.m}, {})");
  // A recursive lock is given back once.
  Set twice = after("+p.m +p.m");
  twice.release("*.m", Vague{});
  EXPECT_EQ(text(twice), "({p.m}, {*.m})");
}

TEST(RelativeLockset, ACalleesVagueReleaseToo) {
  EXPECT_EQ(text(compose(after("+p.m +q.n"), after("-*.m +*.m"), Vague{})), "({*.m, q.n}, {*.m})");
  EXPECT_EQ(text(compose(after("+p.m +q.n"), after("-*.m"))), "({p.m, q.n}, {*.m})");
}

TEST(RelativeLockset, AnUpperBoundLosesOnlyWhatSurelyWent) {
  const auto one_lock = [](const std::string&, const std::string&) { return true; };
  EXPECT_EQ(text(compose(after<May>("+p"), after<May>("-q"), one_lock)), "({}, {q})");
  const May perhaps = join(after<May>("-q +q"), May{});
  EXPECT_EQ(text(perhaps), "({q}, {q})");
  EXPECT_EQ(text(compose(after<May>("+p"), perhaps, one_lock)), "({p, q}, {q})");
}

TEST(RelativeLockset, ForgottenNamesClaimNothing) {
  Set set = after("+a +b -c");
  set.forget_if([](const std::string& name) { return name == "a"; });
  EXPECT_EQ(text(set), "({b}, {c})");
}

TEST(RelativeLockset, WhatIsClaimedMore) {
  EXPECT_TRUE(leq(after("+a"), Set{}));
  EXPECT_FALSE(leq(Set{}, after("+a")));
  EXPECT_TRUE(leq(Set{}, after("-a")));
  EXPECT_FALSE(leq(after("-a"), Set{}));
  EXPECT_TRUE(leq(after("+a"), after("+a(s)")));
  EXPECT_FALSE(leq(after("+a(s)"), after("+a")));
  EXPECT_TRUE(leq(May{}, after<May>("+a")));
  EXPECT_FALSE(leq(after<May>("+a"), May{}));
}

TEST(RelativeLockset, WideningALoopThatGivesBack) {
  const Set head = widen(Set{}, after("-a"));
  EXPECT_EQ(text(head), "({}, {a*255})");
  EXPECT_EQ(widen(head, compose(head, after("-a"))), head);
}

TEST(RelativeLockset, HoldsNoMore) {
  EXPECT_TRUE(must_hold_no_more(after<May>("+a"), after("+a +b")));
  EXPECT_FALSE(must_hold_no_more(after<May>("+a +c"), after("+a +b")));
  EXPECT_TRUE(must_hold_no_more(after<May>("+a(s)"), after("+a")));
  EXPECT_FALSE(must_hold_no_more(after<May>("+a"), after("+a(s)")));
  EXPECT_FALSE(must_hold_no_more(after<May>("+a"), after("+a -b")));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::locks
