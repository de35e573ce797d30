// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "alias/alias_facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "frontend/scratch_source.h"

namespace heddle::alias {
namespace {

class Analysed {
 public:
  explicit Analysed(const std::string& text, const AliasOptions& options = {}) {
    auto models = api::ApiModels::shipped();
    EXPECT_TRUE(models.has_value());
    program_ = std::make_unique<Program>(frontend::read_text(text));
    facts_ = std::make_unique<AliasFacts>(find_aliases(*program_, *models, options));
  }

  [[nodiscard]] Place address(const std::string& global) const {
    return facts_->place({}, Operand::global(program_->find_global(global)));
  }
  /// Where the pointer in a global leads; `offset` for a member.
  [[nodiscard]] Place target(const std::string& global, std::int32_t offset = 0) const {
    Place place = address(global);
    place.offset += offset;
    return facts_->content(place);
  }
  [[nodiscard]] bool meet(Place a, Place b) const { return facts_->may_alias(a, b); }

  /// Names of the functions that indirect calls of `caller` may reach.
  [[nodiscard]] std::vector<std::string> called_by(const std::string& caller) const {
    const FunctionId id = program_->find_function(caller);
    const Function& function = program_->functions[id];
    std::vector<std::string> names;
    for (std::size_t i = 0; i < function.instructions.size(); ++i) {
      if (!function.instructions[i].is_call() || function.operands_of(function.instructions[i])[0].is_function())
        continue;
      for (const FunctionId target : facts_->targets(id, i)) names.emplace_back(program_->functions[target].name);
    }
    std::ranges::sort(names);
    return names;
  }

  /// Whether the first word of what a global leads to leads to what another one does.
  [[nodiscard]] bool leads_on(const std::string& from, const std::string& to) const {
    return meet(facts_->content(target(from)), target(to));
  }
  /// Of the globals one, two, three: those whose objects the first parameter of a function may be.
  [[nodiscard]] std::vector<std::string> given(const std::string& function) const {
    const auto places = facts_->given(program_->find_function(function), Operand::value(ValueId(0)));
    std::vector<std::string> names;
    for (const char* name : {"one", "three", "two"}) {
      const auto is_there = [&](Place place) { return meet(place, target(name)); };
      if (std::ranges::any_of(places.arguments, is_there) || std::ranges::any_of(places.parameters, is_there))
        names.emplace_back(name);
    }
    return names;
  }

 private:
  std::unique_ptr<Program> program_;
  std::unique_ptr<AliasFacts> facts_;
};

using Names = std::vector<std::string>;

TEST(AliasFacts, UnrelatedPointersStayApart) {
  const Analysed a("int x, y; int *p, *q; void f(void) { p = &x; q = &y; }");
  EXPECT_TRUE(a.meet(a.target("p"), a.address("x")));
  EXPECT_TRUE(a.meet(a.target("q"), a.address("y")));
  EXPECT_FALSE(a.meet(a.target("p"), a.target("q")));
}

TEST(AliasFacts, AssignmentUnifiesInBothDirections) {
  const Analysed a("int x, y, z; int *p, *q, *r; void f(void) { p = &x; q = &y; r = &z; p = q; }");
  EXPECT_TRUE(a.meet(a.address("x"), a.address("y")));
  EXPECT_FALSE(a.meet(a.address("x"), a.address("z")));
}

TEST(AliasFacts, MembersAreToldApartByOffset) {
  const Analysed a("struct s { int *a, *b; } s; int x, y; void f(void) { s.a = &x; s.b = &y; }");
  EXPECT_TRUE(a.meet(a.target("s", 0), a.address("x")));
  EXPECT_TRUE(a.meet(a.target("s", 8), a.address("y")));
  EXPECT_FALSE(a.meet(a.address("x"), a.address("y")));
}

TEST(AliasFacts, ElementsOfAnArrayAreOne) {
  const Analysed a("int *t[4], x, y; void f(int i) { t[1] = &x; t[i] = &y; }");
  EXPECT_TRUE(a.meet(a.address("x"), a.address("y")));
}

TEST(AliasFacts, ArraysOfStructsKeepTheirMembersApart) {
  const Analysed a(
      "struct s { int *a, *b; } t[4]; int x, y, z; void f(int i) { t[i].a = &x; t[i].b = &y; t[3].a = &z; }");
  EXPECT_TRUE(a.meet(a.address("x"), a.address("z")));
  EXPECT_FALSE(a.meet(a.address("x"), a.address("y")));
}

TEST(AliasFacts, InitialisersCount) {
  const Analysed a("int x; struct { long n; int *p; } s = {1, &x}; int **q = &s.p;");
  EXPECT_TRUE(a.meet(a.target("s", 8), a.address("x")));
  EXPECT_TRUE(a.meet(a.target("q"), a.address("s")));
}

TEST(AliasFacts, ParametersAndResultsFlow) {
  const Analysed a("int x, y, *p; int *id(int *q) { return q; } void f(void) { p = id(&x); } void g(void) { id(&y); }");
  EXPECT_TRUE(a.meet(a.target("p"), a.address("x")));
  EXPECT_TRUE(a.meet(a.address("x"), a.address("y")));  // no context
}

TEST(AliasFacts, CopiesOfStructsShareWhatTheyPointTo) {
  const Analysed a(
      "struct s { int *p; long pad[9]; } s, t, u; int x; void f(void) { s.p = &x; t = s; } void g(void) { u.p = 0; }");
  EXPECT_TRUE(a.meet(a.target("t"), a.address("x")));
}

TEST(AliasFacts, ListsEndInOneClass) {
  const Analysed a(R"(void *malloc(unsigned long);
    struct n { struct n *next; int v; } *head;
    void push(void) { struct n *n = malloc(sizeof *n); n->next = head; head = n; })");
  const Place first = a.target("head");
  ASSERT_TRUE(first.valid());
  EXPECT_TRUE(a.meet(first, first));
}

TEST(AliasFacts, CallsThroughTablesReachWhatTheTableHolds) {
  const Analysed a(R"(typedef void (*fn)(int *); int x;
    void one(int *p) { *p = 1; } void two(int *p) { *p = 2; } void other(int *p) { *p = 3; }
    struct ops { fn start, stop; } ops = {one, two};
    void (*unused)(int *) = other;
    void start(void) { ops.start(&x); } void stop(void) { ops.stop(&x); })");
  EXPECT_EQ(a.called_by("start"), Names{"one"});
  EXPECT_EQ(a.called_by("stop"), Names{"two"});
}

TEST(AliasFacts, AFunctionThatArrivesLateIsConnected) {
  const Analysed a(R"(typedef int *(*fn)(int *); fn handler; int x, *got;
    void call(void) { got = handler(&x); }
    int *target(int *p) { return p; }
    void setup(void) { handler = target; })");
  EXPECT_EQ(a.called_by("call"), Names{"target"});
  EXPECT_TRUE(a.meet(a.target("got"), a.address("x")));
}

/// Connecting a call with a library function merges the class that is just being filled.
TEST(AliasFacts, ClassesThatMergeWhileTheyAreConnectedLoseNothing) {
  const Analysed a(R"(
    typedef char *(*fn)(char *, const char *);
    char *strcat(char *, const char *);
    char *strcpy(char *, const char *);
    char *own(char *a, const char *b) { return a; }
    fn x = strcat, y = own, z = strcpy;
    fn cell;
    void one(void) { cell = (fn)x((char *)&cell, (const char *)y); }
    void two(void) { y((char *)z, (const char *)&x); }
    void three(void) { x((char *)&y, (const char *)cell); x = y; y = z; }
  )");
  const Names all{"own", "strcat", "strcpy"};
  EXPECT_EQ(a.called_by("one"), all);
  EXPECT_EQ(a.called_by("three"), all);
  EXPECT_EQ(a.called_by("two"), all);
}

TEST(AliasFacts, AnotherNumberOfArgumentsIsAnotherFunction) {
  const Analysed a(R"(void one(int a) { (void)a; } void two(int a, int b) { (void)a; (void)b; }
    void *table[2] = {(void *)one, (void *)two};
    void call(int i) { ((void (*)(int))table[i])(1); })");
  EXPECT_EQ(a.called_by("call"), Names{"one"});
}

TEST(AliasFacts, ThreadsGetTheirArgument) {
  const Analysed a(R"(#include <pthread.h>
    struct job { int *p; } job; int x, *seen; pthread_t t;
    void *run(void *arg) { seen = ((struct job *)arg)->p; return arg; }
    int main(void) { job.p = &x; return pthread_create(&t, 0, run, &job); })");
  EXPECT_TRUE(a.meet(a.target("seen"), a.address("x")));
}

TEST(AliasFacts, IntegersCarryPointersThere) {
  const Analysed a(
      "int x, *p; unsigned long u; void f(void) { u = (unsigned long)&x; } void g(void) { p = (int *)u; }");
  EXPECT_TRUE(a.meet(a.target("p"), a.address("x")));
}

TEST(AliasFacts, UnknownFunctionsMixPointersOnlyWhenAskedTo) {
  const std::string text = "void keep(int *); int *give(void); int x, *p; void f(void) { keep(&x); p = give(); }";
  const Analysed trusting(text);
  EXPECT_FALSE(trusting.meet(trusting.target("p"), trusting.address("x")));
  const Analysed careful(text, {.externals_keep_pointers = true});
  EXPECT_TRUE(careful.meet(careful.target("p"), careful.address("x")));
}

constexpr const char* allocators = R"(
void *malloc(unsigned long); void *realloc(void *, unsigned long); void free(void *); void *memset(void *, int, unsigned long);
void abort(void); struct n { struct n *next; int v; }; struct n *one, *two, *three; int log_level;
void *get(unsigned long n) { void *p = malloc(n); if (!p) { log_level++; abort(); } return p; }
void *get_clear(unsigned long n) { void *p = get(n); memset(p, 0, n); return p; }
void *again(void *q, unsigned long n) { void *p = realloc(q, n); if (!p) abort(); return p; }
void drop(void *p) { if (p) free(p); }
)";

Analysed with_allocators(const std::string& text) {
  return Analysed(allocators + text, {.allocators_apart = true});
}

TEST(Allocators, EachCallMakesAnObjectOfItsOwn) {
  const std::string text = "void f(void) { one = get(16); two = get_clear(16); three = get(16); drop(one); drop(two); }";
  const Analysed apart = with_allocators(text);
  EXPECT_FALSE(apart.meet(apart.target("one"), apart.target("two")));
  EXPECT_FALSE(apart.meet(apart.target("one"), apart.target("three")));
  const Analysed as_others(allocators + text);
  EXPECT_TRUE(as_others.meet(as_others.target("one"), as_others.target("three")));
}

TEST(Allocators, AMovedBlockIsWhatItWas) {
  const Analysed a = with_allocators("void f(void) { one = get(16); two = again(one, 32); three = again(0, 16); }");
  EXPECT_TRUE(a.meet(a.target("one"), a.target("two")));
  EXPECT_FALSE(a.meet(a.target("one"), a.target("three")));
}

TEST(Allocators, WhatIsPutThereIsTheSameEverywhere) {
  const Analysed a = with_allocators(R"(
    struct n *make(int v) { struct n *p = get(sizeof *p); p->v = v; p->next = three; return p; }
    void f(void) { one = make(1); two = make(2); three = get(16); })");
  EXPECT_FALSE(a.meet(a.target("one"), a.target("two")));
  EXPECT_TRUE(a.leads_on("one", "three"));
  EXPECT_TRUE(a.leads_on("two", "three"));
}

TEST(Allocators, WhoeverKeepsOrReturnsAnotherPointerIsNone) {
  for (const char* make : {
           "struct n *kept; void *make(void) { struct n *p = get(16); kept = p; return p; }",
           "void *make(void) { struct n *p = get(16); p->next = p; return p; }",
           "void *make(void) { return log_level ? get(16) : (void *)three; }",
           "void keep(void *); void *make(void) { void *p = get(16); keep(p); return p; }",
           "void *pool; void *make(void) { return pool; } void fill(void) { pool = get(16); }",
           "void *make(void) { static char there[16]; return there; }",
           "void *make(void) { return again(three, 16); }",
       }) {
    const Analysed a = with_allocators(make + std::string(" void f(void) { one = make(); two = make(); }"));
    EXPECT_TRUE(a.meet(a.target("one"), a.target("two"))) << make;
  }
}

TEST(Allocators, AParameterThatIsMoreThanReadOrEndedIsNotPassive) {
  for (const char* end : {
           "void *kept; void end(void *p) { kept = p; free(p); }",
           "void end(struct n *p) { p->v = 1; free(p); }",
           "void *end(void *p) { drop(p); return p; }",
           "void (*hook)(void *); void end(void *p) { hook(p); free(p); }",
       }) {
    const Analysed a =
        with_allocators(end + std::string(" void f(void) { one = get(16); two = get(16); end(one); end(two); }"));
    EXPECT_TRUE(a.meet(a.target("one"), a.target("two"))) << end;
  }
}

TEST(Allocators, APassiveParameterKnowsItsArguments) {
  const Analysed a = with_allocators(R"(
    void drop_all(void *p) { drop(p); } void (*hook)(void *) = drop_all;
    void f(void) { one = get(16); two = get(16); three = get(16); drop(one); drop_all(two); hook(three); })");
  EXPECT_EQ(a.given("drop"), (Names{"one", "three", "two"}));
  EXPECT_EQ(a.given("drop_all"), (Names{"three", "two"}));
}

}  // namespace
}  // namespace heddle::alias
