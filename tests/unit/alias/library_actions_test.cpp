// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One test for each primitive that moves pointers or calls functions: emptied, its case in unifier_actions.cpp fails
// here.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "alias/alias_facts.h"
#include "api/library_models.h"
#include "frontend/scratch_source.h"

namespace heddle::alias {
namespace HEDDLE_TEST_FILE {

constexpr std::string_view own_models = R"(
[[function]]
name = "lib_start"
effects = [{ spawn = 0, parameter = 1 }]
[[function]]
name = "lib_at_exit"
effects = [{ at_exit = 0, parameter = 1 }]
[[function]]
name = "lib_join"
effects = [{ join = 0, result = 1 }]
[[function]]
name = "lib_end"
effects = [{ thread_exit = true, result = 0 }]
[[function]]
name = "lib_once"
effects = [{ once = 0, entry = 1, parameter = 2 }]
[[function]]
name = "lib_key"
effects = [{ tls_create = 0, destructor = 1 }]
[[function]]
name = "lib_load_to"
effects = [{ atomic_read = 0, length = 8, to = 1 }]
[[function]]
name = "lib_swap"
effects = [{ atomic_update = 0, length = 8, value = 1, expected = 2, op = "exchange" }]
[[function]]
name = "lib_own"
effects = [{ returns_hidden = "own" }]
[[function]]
name = "lib_each"
effects = [{ invoke = 0, parameter = 1 }]
[[function]]
name = "lib_call_it"
effects = [{ invoke_global = "it" }]
[[function]]
name = "lib_raise"
effects = [{ throw = true, value = 0 }]
)";

const std::string declarations = R"(
void lib_start(void (*)(int *), int *); void lib_at_exit(void (*)(int *), int *); void lib_handler(void (*)(int, int *), int *);
void lib_join(long, int **); void lib_end(int *); void lib_once(long *, void (*)(int *), int *); void lib_key(int *, void (*)(int *));
void lib_set(int, int *); int *lib_get(int); int *lib_grow(int *, long); void lib_put(int **, int *); int *lib_load(int **);
void lib_load_to(int **, int **); void lib_store(int **, int *); int *lib_swap(int **, int *, int **); void lib_copy(int **, int **);
void lib_end_of(int **, int *); int *lib_same(int *); int *lib_within(int *); int *lib_below(int **); int *lib_own(void);
void lib_each(void (*)(int *), int *); void lib_call_it(void); void lib_raise(int *); void lib_signal(void (*)(int));
int x, y; int *p, *q; long flag; int key; void (*it)(void);
)";

class AliasActions : public testing::Test {
 protected:
  /// The text of a function main, behind the declarations and `before`.
  void read(const std::string& body, const std::string& before = "") {
    const api::ApiModels models = api::models_with(own_models);
    program_ = std::make_unique<Program>(
        frontend::read_text(declarations + before + "\nint main(void) { " + body + " return 0; }\n"));
    facts_ = std::make_unique<AliasFacts>(find_aliases(*program_, models, {}));
  }
  [[nodiscard]] Place address(const std::string& global) const {
    return facts_->place({}, Operand::global(program_->find_global(global)));
  }
  /// Whether the pointer in a global may lead to another one.
  [[nodiscard]] bool leads(const std::string& pointer, const std::string& to) const {
    return facts_->may_alias(facts_->content(address(pointer)), address(to));
  }
  /// Whether a function is called from main, and not by name.
  [[nodiscard]] bool is_called(const std::string& function) const {
    const FunctionId main = program_->find_function("main"), wanted = program_->find_function(function);
    for (std::size_t i = 0; i < program_->functions[main].instructions.size(); ++i)
      if (std::ranges::find(facts_->targets(main, i), wanted) != facts_->targets(main, i).end()) return true;
    return false;
  }

  std::unique_ptr<Program> program_;
  std::unique_ptr<AliasFacts> facts_;
};

const std::string keep = "void keep(int *a) { p = a; }";

TEST_F(AliasActions, NothingMovesByItself) {
  read("p = &x; q = &y; lib_copy(0, 0);", keep);
  EXPECT_TRUE(leads("p", "x"));
  EXPECT_FALSE(leads("p", "y"));
  EXPECT_FALSE(is_called("keep"));
}

TEST_F(AliasActions, StartThread) {
  read("lib_start(keep, &x);", keep);
  EXPECT_TRUE(is_called("keep"));
  EXPECT_TRUE(leads("p", "x"));
}

TEST_F(AliasActions, RunLater) {
  read("lib_at_exit(keep, &x);", keep);
  EXPECT_TRUE(is_called("keep"));
  EXPECT_TRUE(leads("p", "x"));
  read("lib_handler(handle, &x);", "void handle(int n, int *a) { p = a; }");
  EXPECT_TRUE(is_called("handle"));
  EXPECT_TRUE(leads("p", "x"));
}

TEST_F(AliasActions, LeaveThreadAndEnd) {
  read("lib_join(1, &p); lib_end(&x);");
  EXPECT_TRUE(leads("p", "x"));
}

TEST_F(AliasActions, RunOnce) {
  read("lib_once(&flag, keep, &x);", keep);
  EXPECT_TRUE(is_called("keep"));
  EXPECT_TRUE(leads("p", "x"));
}

TEST_F(AliasActions, UseThreadValue) {
  read("lib_key(&key, keep); lib_set(key, &x); q = lib_get(key);", keep);
  EXPECT_TRUE(is_called("keep"));
  EXPECT_TRUE(leads("p", "x"));
  EXPECT_TRUE(leads("q", "x"));
}

TEST_F(AliasActions, MakeMemory) {
  read("p = &x; q = lib_grow(p, 8);");
  EXPECT_TRUE(leads("q", "x"));
}

TEST_F(AliasActions, Touch) {
  read("lib_put(&p, &x);");
  EXPECT_TRUE(leads("p", "x"));
}

TEST_F(AliasActions, TouchAtomic) {
  read("p = &x; q = lib_load(&p);");
  EXPECT_TRUE(leads("q", "x"));
  read("p = &x; lib_load_to(&p, &q);");
  EXPECT_TRUE(leads("q", "x"));
  read("lib_store(&p, &x);");
  EXPECT_TRUE(leads("p", "x"));
  read("int *r = lib_swap(&p, &x, &q); (void)r;");
  EXPECT_TRUE(leads("p", "x"));
  EXPECT_TRUE(leads("q", "x"));
}

TEST_F(AliasActions, MovePointers) {
  read("q = &x; lib_copy(&p, &q);");
  EXPECT_TRUE(leads("p", "x"));
  read("lib_end_of(&p, &x);");
  EXPECT_TRUE(leads("p", "x"));
}

TEST_F(AliasActions, ReturnValue) {
  read("p = lib_same(&x); q = lib_within(&y);");
  EXPECT_TRUE(leads("p", "x"));
  EXPECT_TRUE(leads("q", "y"));
  read("p = &x; q = lib_below(&p);");
  EXPECT_TRUE(leads("q", "x"));
  read("p = lib_own(); q = lib_own();");
  EXPECT_TRUE(facts_->may_alias(facts_->content(address("p")), facts_->content(address("q"))));
}

TEST_F(AliasActions, CallBack) {
  read("lib_each(keep, &x);", keep);
  EXPECT_TRUE(is_called("keep"));
  EXPECT_TRUE(leads("p", "x"));
  read("it = work; lib_call_it();", "void work(void) { p = &x; }");
  EXPECT_TRUE(is_called("work"));
}

TEST_F(AliasActions, WhatIsThrownIsCaught) {
  // No C text has a landing pad: two objects that are thrown are one class.
  read("p = &x; q = &y; lib_raise(p); lib_raise(q);");
  EXPECT_TRUE(facts_->may_alias(address("x"), address("y")));
}

TEST_F(AliasActions, HandlersOfUnsupportedCallsAreKnown) {
  read("lib_signal(handler);", "void handler(int n) { x = n; }");
  EXPECT_TRUE(is_called("handler"));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::alias
