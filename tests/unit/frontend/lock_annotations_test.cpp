// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/model/lock_annotation.h"

#include <set>

#include "frontend/scratch_source.h"
#include "program/link/link.h"
#include "program/unit/unit_file.h"

namespace heddle::frontend {
namespace HEDDLE_TEST_FILE {

/// Every annotation as `heddle ir` shows it.
std::set<std::string> annotations_of(const Program& program) {
  std::ostringstream out;
  print_program(out, program);
  std::istringstream in(out.str());
  std::set<std::string> lines;
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("; ") && !line.starts_with("; unit ")) lines.insert(line.substr(2));
  EXPECT_EQ(lines.size(), program.annotations.size());
  return lines;
}

using Lines = std::set<std::string>;

TEST(LockAnnotations, OfCFunctionsVariablesAndTypes) {
  const Program p = read_text(
      "#define A(x) __attribute__((x))\n"
      "typedef struct A(capability(\"mutex\")) lock { int word; } lock_t;\n"
      "lock_t big; int total A(guarded_by(big)); int *table A(pt_guarded_by(&big));\n"
      "void take(lock_t *l) A(acquire_capability(*l));\n"
      "void share(int n, lock_t *l) A(acquire_shared_capability(l));\n"
      "int try_take(lock_t *l) A(try_acquire_capability(0, l));\n"
      "void give(lock_t *l) A(release_capability(l));\n"
      "void give_any(lock_t *l) A(release_generic_capability(l));\n"
      "static void bump(void) A(requires_capability(big)) { total++; }\n"
      "void odd(void) A(no_thread_safety_analysis) {}\n"
      "void unused(lock_t *l) A(acquire_capability(l));\n"
      "int main(void) { take(&big); bump(); give(&big); share(1, &big); give_any(&big);\n"
      "  if (!try_take(&big)) give(&big); odd(); return *table; }");
  EXPECT_EQ(annotations_of(p), (Lines{"capability lock: mutex", "guarded_by @total: big", "pt_guarded_by @table: &big",
                                      "acquire @take: *l (argument 0)", "acquire_shared @share: l (argument 1)",
                                      "try_acquire @try_take: l (argument 0) if zero", "release @give: l (argument 0)",
                                      "release_generic @give_any: l (argument 0)", "requires @bump: big",
                                      "no_thread_safety_analysis @odd"}));
}

TEST(LockAnnotations, OldSpellingsAndC23Attributes) {
  const Program p = read_text(
      "struct __attribute__((lockable)) lock { int word; }; struct lock big;\n"
      "int a __attribute__((guarded_var));\n"
      "void take(struct lock *l) __attribute__((exclusive_lock_function(l)));\n"
      "void give(struct lock *l) __attribute__((unlock_function(l)));\n"
      "int try_take(struct lock *l) __attribute__((exclusive_trylock_function(1, l)));\n"
      "int try_share(struct lock *l) __attribute__((shared_trylock_function(1, l)));\n"
      "void check(struct lock *l) __attribute__((assert_exclusive_lock(l)));\n"
      "void not_held(struct lock *l) __attribute__((locks_excluded(l)));\n"
      "[[clang::acquire_capability(big)]] void take23(struct lock *l);\n"
      "int main(void) { take(&big); give(&big); try_take(&big); try_share(&big); check(&big); not_held(&big);\n"
      "  take23(&big); return a; }",
      "unit.cpp");
  const Lines found = annotations_of(p);
  EXPECT_TRUE(found.contains("guarded_by @a"));
  std::size_t acquires = 0;
  std::size_t tries = 0;
  for (const std::string& line : found) {
    acquires += line.starts_with("acquire @") && line.ends_with("l (argument 0)");
    tries += line.starts_with("try_acquire") && line.ends_with("l (argument 0)");
  }
  EXPECT_EQ(acquires, 1u);
  EXPECT_TRUE(found.contains("acquire @_Z6take23P4lock: big"));
  EXPECT_EQ(tries, 2u);
  EXPECT_EQ(found.size(), 9u);
}

TEST(LockAnnotations, OfClassesTheirMembersAndThis) {
  const Program p = read_text(
      "#define A(x) __attribute__((x))\n"
      "struct A(capability(\"mutex\")) Mutex { void lock() A(acquire_capability()); void unlock() "
      "A(release_capability()); };\n"
      "struct A(scoped_lockable) Guard { Mutex &m; Guard(Mutex &l) A(acquire_capability(l)); ~Guard() "
      "A(release_capability()); };\n"
      "template <class T> struct Box { Mutex m; T value A(guarded_by(m)); };\n"
      "namespace bank { struct Account { Mutex m; int balance A(guarded_by(m)); int *log A(pt_guarded_by(m)); }; }\n"
      "int use(bank::Account &a) { a.m.lock(); a.balance++; a.m.unlock(); Guard g(a.m); Box<int> b; return b.value; }",
      "unit.cpp");
  EXPECT_EQ(annotations_of(p),
            (Lines{"capability Mutex: mutex", "scoped_lockable Guard", "guarded_by Box.value: m",
                   "guarded_by bank::Account.balance: m", "pt_guarded_by bank::Account.log: m",
                   "acquire @_ZN5Mutex4lockEv: this (argument 0)", "release @_ZN5Mutex6unlockEv: this (argument 0)",
                   "acquire @_ZN5GuardC1ER5Mutex: l (argument 1)", "release @_ZN5GuardD1Ev: this"}))
      << "the end of a scoped lock gives back what it took, not itself";
}

TEST(LockAnnotations, LocksThatNoArgumentPointsToHaveNoArgument) {
  const Program p = read_text(
      "struct __attribute__((capability(\"m\"))) lock { int w; }; struct q { struct lock l; }; struct big { long w[9]; "
      "};\n"
      "void field(struct q *q) __attribute__((acquire_capability(q->l)));\n"
      "void pointer(struct lock **l) __attribute__((acquire_capability(*l)));\n"
      "struct big shifted(struct lock *l) __attribute__((acquire_capability(l)));\n"
      "int main(void) { struct q q; struct lock *l = &q.l; field(&q); pointer(&l); shifted(l); return 0; }");
  EXPECT_EQ(annotations_of(p),
            (Lines{"capability lock: m", "acquire @field: q->l", "acquire @pointer: *l", "acquire @shifted: l"}));
}

TEST(LockAnnotations, SurviveUnitFilesAndLinkingEachOnce) {
  const ScratchFolder folder;
  const std::string header =
      "struct __attribute__((capability(\"m\"))) lock { int w; };\n"
      "struct q { struct lock *l; int n __attribute__((guarded_var)); };\n"
      "void take(struct lock *l) __attribute__((acquire_capability(l)));\n"
      "static struct lock mine; static int hits __attribute__((guarded_by(mine)));\n";
  std::vector<Program> units;
  for (const char* name : {"a", "b"}) {
    const std::string body = "int f" + std::string(name) + "(struct q *q) { take(q->l); return ++hits; }";
    auto unit = read_unit({folder.write(name + std::string(".c"), header + body), {}}, {});
    ASSERT_TRUE(unit) << unit.error().message;
    auto again = decode_unit(encode_unit(*unit));
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(annotations_of(*again), annotations_of(*unit));
    units.push_back(std::move(*again));
  }
  const auto linked = link(std::move(units));
  ASSERT_TRUE(linked);
  const Lines found = annotations_of(linked->program);
  EXPECT_EQ(found.size(), 5u) << "two variables of one name are two";
  EXPECT_TRUE(found.contains("capability lock: m"));
  EXPECT_TRUE(found.contains("guarded_by q.n"));
  EXPECT_TRUE(found.contains("acquire @take: l (argument 0)"));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::frontend
