// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Must-aliases of lock pointers: Figure 1 of CAV07, and the ways in which programs hand locks around.
#include "alias/locks/lock_aliases.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "frontend/scratch_source.h"

namespace heddle::alias {
namespace HEDDLE_TEST_FILE {

const std::string locks_h = R"(
typedef struct { long word[5]; } pthread_mutex_t; typedef pthread_mutex_t L;
int pthread_mutex_lock(L *); int pthread_mutex_unlock(L *); void *malloc(unsigned long); int rand(void);
void unknown(void *); L m, n; struct obj { long id; L *lock; L own; struct obj *next; }; struct obj a, b, *list;
void here(void) {}
)";

/// Answers are asked for in front of the calls of `here`, which stand for locations.
class Analysed {
 public:
  explicit Analysed(const std::string& text)
      : models_(*api::ApiModels::shipped()),
        program_(std::make_unique<Program>(frontend::read_text(locks_h + text))),
        facts_(std::make_unique<AliasFacts>(find_aliases(*program_, models_, {}))),
        locks_(std::make_unique<LockAliases>(*program_, models_, *facts_)) {}

  /// The calls from function to function that lead to call `which` of `here` in the last of them.
  [[nodiscard]] std::vector<ContextStep> context(const std::vector<std::string>& functions, int which = 0) const {
    std::vector<ContextStep> out;
    for (std::size_t i = 0; i < functions.size(); ++i) {
      const bool is_last = i + 1 == functions.size();
      out.push_back(
          {find(functions[i]), call_of(functions[i], is_last ? "here" : functions[i + 1], is_last ? which : 0)});
    }
    return out;
  }
  /// Sum of a global pointer: what was in it, `{}` for nothing.
  [[nodiscard]] std::string sum(const std::vector<std::string>& functions, const std::string& global, int which = 0,
                                Contexts contexts = Contexts::Separate) {
    const LockTerm pointer = LockTerm::global(program_->find_global(global)).content();
    return text(functions, locks_->origin(context(functions, which), pointer, contexts));
  }
  /// What the first lock function of the last function is given.
  [[nodiscard]] std::string taken(const std::vector<std::string>& functions, Contexts contexts = Contexts::Separate) {
    const Function& function = program_->functions[find(functions.back())];
    std::vector<ContextStep> steps;
    for (std::size_t i = 0; i + 1 < functions.size(); ++i)
      steps.push_back({find(functions[i]), call_of(functions[i], functions[i + 1], 0)});
    const std::uint32_t call = call_of(functions.back(), "pthread_mutex_lock", 0);
    steps.push_back({find(functions.back()), call});
    const Operand pointer = function.arguments_of(function.instructions[call])[0];
    return text(functions, locks_->origin(steps, pointer, contexts));
  }
  [[nodiscard]] bool same(const std::vector<std::string>& functions, const std::string& p, const std::string& q) {
    const auto pointer = [&](const std::string& name) {
      return LockTerm::global(program_->find_global(name)).content();
    };
    return locks_->must_alias(context(functions), pointer(p), pointer(q));
  }
  /// The global that the first lock function is given, wherever the function is called.
  [[nodiscard]] std::string address(const std::string& function) {
    const Function& code = program_->functions[find(function)];
    const Operand pointer = code.arguments_of(code.instructions[call_of(function, "pthread_mutex_lock", 0)])[0];
    if (!pointer.is_value()) return std::string(program_->globals[pointer.as_global()].name);
    const auto found = locks_->address(find(function), pointer.as_value());
    return found ? std::string(program_->globals[found->global].name) : "";
  }
  LockAliases& locks() { return *locks_; }

 private:
  [[nodiscard]] FunctionId find(const std::string& name) const { return program_->find_function(name); }
  [[nodiscard]] std::string text(const std::vector<std::string>& functions, const std::optional<LockTerm>& term) const {
    return term ? to_text(*program_, find(functions.front()), *term) : "{}";
  }
  [[nodiscard]] std::uint32_t call_of(const std::string& function, const std::string& callee, int which) const {
    const Function& code = program_->functions[find(function)];
    for (std::uint32_t i = 0; i < code.instructions.size(); ++i) {
      if (!code.instructions[i].is_call()) continue;
      const Operand target = code.operands_of(code.instructions[i])[0];
      if (target.is_function() && program_->functions[target.as_function()].name == callee && which-- == 0) return i;
    }
    ADD_FAILURE() << function << " does not call " << callee;
    return 0;
  }

  api::ApiModels models_;
  std::unique_ptr<Program> program_;
  std::unique_ptr<AliasFacts> facts_;
  std::unique_ptr<LockAliases> locks_;
};

const std::string figure_1 = R"(
L *p, *q, *g1, *g2, *g3, *g4, *g5; int global_var, u;
void goo(void) { p = g3; here(); q = g4; here(); if (global_var) p = g5; u = 1; here(); }
void bar(void) { goo(); here(); }
void foo(void) { p = g1; here(); q = g2; here(); bar(); here(); }
)";

TEST(LockAliases, Figure1) {
  Analysed s(figure_1);
  EXPECT_EQ(s.sum({"goo"}, "p", 1), "*(&g3)");  // Sum(goo, 2c, p)
  EXPECT_EQ(s.sum({"goo"}, "q", 1), "*(&g4)");
  EXPECT_EQ(s.sum({"goo"}, "p", 2), "{}");      // Sum(goo, 5c, p): g5 or g3
  EXPECT_EQ(s.sum({"goo"}, "q", 2), "*(&g4)");  // Sum(goo, 5c, q)
  EXPECT_EQ(s.sum({"foo"}, "p", 1), "*(&g1)");  // Sum(foo, 2a, p)
  EXPECT_EQ(s.sum({"foo"}, "q", 1), "*(&g2)");
  EXPECT_EQ(s.sum({"foo"}, "p", 2), "{}");      // Sum(foo, 3a, p)
  EXPECT_EQ(s.sum({"foo"}, "q", 2), "*(&g4)");  // Sum(foo, 3a, q)
  EXPECT_EQ(s.sum({"bar"}, "q"), "*(&g4)");
  // In front of the first assignment of goo, p is what foo gave it.
  EXPECT_EQ(s.sum({"foo", "bar", "goo"}, "p", 0), "*(&g3)");
  EXPECT_EQ(s.sum({"foo", "bar", "goo"}, "q", 0), "*(&g2)");
  EXPECT_EQ(s.sum({"bar", "goo"}, "q", 0), "*(&q)");
}

TEST(LockAliases, Proposition3) {
  const std::string pointers = "L *p, *q, *r; ";
  // From one to the other.
  EXPECT_TRUE(Analysed(pointers + "void f(void) { q = p; here(); }").same({"f"}, "p", "q"));
  // From a third one to both.
  EXPECT_TRUE(Analysed(pointers + "void f(void) { q = r; p = q; r = 0; here(); }").same({"f"}, "p", "q"));
  EXPECT_TRUE(Analysed(pointers + "void f(void) { p = &m; q = &m; here(); }").same({"f"}, "p", "q"));
  // Assigned anew in between.
  EXPECT_FALSE(Analysed(pointers + "void f(void) { q = p; p = r; here(); }").same({"f"}, "p", "q"));
  EXPECT_FALSE(Analysed(pointers + "void f(void) { q = p; if (rand()) p = r; here(); }").same({"f"}, "p", "q"));
  EXPECT_FALSE(Analysed(pointers + "void f(void) { p = &m; q = &n; here(); }").same({"f"}, "p", "q"));
  // On both branches the same.
  EXPECT_TRUE(Analysed(pointers + "void f(void) { if (rand()) p = r; else p = r; here(); }").same({"f"}, "p", "r"));
}

TEST(LockAliases, Loops) {
  const std::string pointers = "L *p, *r; int more(void); ";
  EXPECT_EQ(Analysed(pointers + "void f(int n) { p = r; while (n--) here(); }").sum({"f"}, "p"), "*(&r)");
  EXPECT_EQ(Analysed(pointers + "void f(int n) { p = r; while (n--) { here(); p = &m; } }").sum({"f"}, "p"), "{}");
  // It is *p in front of the loop and *r around it: the walk intersects there, before it could see that these are one.
  EXPECT_EQ(Analysed(pointers + "void f(int n) { p = r; while (n--) { p = r; } here(); }").sum({"f"}, "p"), "{}");
  // The pointer is another one in each round.
  EXPECT_EQ(Analysed("void f(struct obj *o) { while (o) { pthread_mutex_lock(&o->own); o = o->next; } }").taken({"f"}),
            "{}");
  EXPECT_EQ(Analysed("void f(struct obj *o) { for (int i = 0; i < 3; i++) { L *l = malloc(40); if (rand()) "
                     "pthread_mutex_lock(l); } }")
                .taken({"f"}),
            "{}");
}

TEST(LockAliases, WrappersAndAccessors) {
  const std::string wrapper = "void my_lock(struct obj *o) { pthread_mutex_lock(&o->own); } ";
  EXPECT_EQ(Analysed(wrapper + "void f(void) { my_lock(&a); }").taken({"f", "my_lock"}), "&a + 16");
  Analysed two(wrapper + "void f(void) { my_lock(&a); } void g(void) { my_lock(&b); }");
  EXPECT_EQ(two.taken({"f", "my_lock"}), "&a + 16");
  EXPECT_EQ(two.taken({"g", "my_lock"}), "&b + 16");
  EXPECT_EQ(two.taken({"g", "my_lock"}, Contexts::Joined), "{}");
  EXPECT_EQ(Analysed(wrapper + "void f(void) { my_lock(&a); } void g(void) { my_lock(&a); }")
                .taken({"g", "my_lock"}, Contexts::Joined),
            "&a + 16");
  const std::string accessor = "L *lock_of(struct obj *o) { return o->lock; } ";
  EXPECT_EQ(Analysed(accessor + "void f(void) { pthread_mutex_lock(lock_of(&a)); }").taken({"f"}), "*(&a + 8)");
  EXPECT_EQ(Analysed(accessor + "void f(void) { a.lock = &m; pthread_mutex_lock(lock_of(&a)); }").taken({"f"}), "&m");
}

TEST(LockAliases, StructuresAndTables) {
  EXPECT_EQ(Analysed("void f(void) { struct obj o; o.lock = &m; o.next = 0; unknown(0); pthread_mutex_lock(o.lock); }")
                .taken({"f"}),
            "&m");
  EXPECT_EQ(Analysed("void set(struct obj *o, L *l) { o->lock = l; } void f(struct obj *o) { set(o, &m); "
                     "pthread_mutex_lock(o->lock); }")
                .taken({"f"}),
            "&m");
  EXPECT_EQ(Analysed("L *table[4]; void f(void) { table[2] = &n; table[1] = &m; pthread_mutex_lock(table[2]); }")
                .taken({"f"}),
            "&n");
  // Nobody knows which element was written.
  EXPECT_EQ(Analysed("L *table[4]; void f(int i) { table[2] = &n; table[i] = &m; pthread_mutex_lock(table[2]); }")
                .taken({"f"}),
            "{}");
}

TEST(LockAliases, ChosenByACondition) {
  EXPECT_EQ(Analysed("void f(int c) { L *l = &m; if (c) { l = &n; here(); } pthread_mutex_lock(l); }").taken({"f"}),
            "{}");
  EXPECT_EQ(Analysed("void f(int c) { L *l = &m; if (c) { l = &m; here(); } pthread_mutex_lock(l); }").taken({"f"}),
            "&m");
}

TEST(LockAliases, Addresses) {
  EXPECT_EQ(
      Analysed("void f(int c) { L *l = &m; for (int i = 0; i < c; i++) if (rand()) l = &m; pthread_mutex_lock(l); }")
          .address("f"),
      "m");
  EXPECT_EQ(
      Analysed("void f(int c) { L *l = &m; for (int i = 0; i < c; i++) if (rand()) l = &n; pthread_mutex_lock(l); }")
          .address("f"),
      "");
  EXPECT_EQ(Analysed("L *get(void) { return &m; } void f(void) { pthread_mutex_lock(get()); }").address("f"), "m");
  EXPECT_EQ(Analysed("L *p; void f(void) { pthread_mutex_lock(p); }").address("f"), "");
}

TEST(LockAliases, CallsThatMayWrite) {
  const std::string p = "L *p; ";
  EXPECT_EQ(Analysed(p + "void other(void) { a.id = 1; } void f(void) { other(); here(); }").sum({"f"}, "p"), "*(&p)");
  EXPECT_EQ(Analysed(p + "void other(void) { p = &m; } void f(void) { other(); here(); }").sum({"f"}, "p"), "&m");
  EXPECT_EQ(Analysed(p + "void other(void) { if (rand()) p = &m; } void f(void) { other(); here(); }").sum({"f"}, "p"),
            "{}");
  EXPECT_EQ(Analysed(p + "void f(void) { unknown(&p); here(); }").sum({"f"}, "p"), "{}");
  // A function that calls itself says nothing.
  EXPECT_EQ(Analysed(p + "void other(int i) { if (i) other(i - 1); p = &m; } void f(void) { other(3); here(); }")
                .sum({"f"}, "p"),
            "&m");
  EXPECT_EQ(Analysed(p + "void other(int i) { p = &m; if (i) other(i - 1); } void f(void) { other(3); here(); }")
                .sum({"f"}, "p"),
            "{}");
}

TEST(LockAliases, OutsideEveryPartition) {
  Analysed number("void f(unsigned long x) { pthread_mutex_lock((L *)x); pthread_mutex_lock(&m); }");
  EXPECT_EQ(number.taken({"f"}), "{}");
  EXPECT_EQ(number.locks().outside().size(), 1U);
  ASSERT_EQ(number.locks().partitions().size(), 1U);
  EXPECT_EQ(number.locks().partitions()[0].uses.size(), 1U);
  Analysed assembly("void f(void) { L *l; asm(\"\" : \"=r\"(l)); pthread_mutex_lock(l); }");
  EXPECT_EQ(assembly.taken({"f"}), "{}");
  EXPECT_EQ(assembly.locks().outside().size(), 1U);
}

TEST(LockAliases, Partitions) {
  Analysed s("void f(void) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_lock(&n); }");
  ASSERT_EQ(s.locks().partitions().size(), 2U);
  EXPECT_EQ(s.locks().partitions()[0].uses.size() + s.locks().partitions()[1].uses.size(), 3U);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::alias
