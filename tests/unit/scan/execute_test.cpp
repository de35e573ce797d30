// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symbolic execution, operation by operation: instructions, what is known of memory, when memory becomes known to
// others, calls. Each fails when its operation is weakened (tests/mutations/scan.txt).
#include <gtest/gtest.h>

#include "scan/scanned.h"

namespace heddle::scan {
namespace HEDDLE_TEST_FILE {

const std::string dev_h = threads_h + R"(
struct dev { pthread_mutex_t m, n; int x, y; int *p; struct dev *next; int a[4]; struct dev *(*make)(void); };
struct dev *list; int rand(void); int number; void *memcpy(void *, const void *, unsigned long);
)";

Summarised text(const std::string& code) { return Summarised(dev_h + code); }

// ---- instructions

TEST(ScanExecute, LoadsAndStores) {
  EXPECT_EQ(text("void f(struct dev *d) { d->y = d->x; }").accesses("f"), (Lines{"d->x R ({},{})", "d->y W ({},{})"}));
  EXPECT_EQ(text("void f(struct dev *d) { d->next->x = 1; }").accesses("f"),
            (Lines{"d->next R ({},{})", "d->next->x W ({},{})"}));
  EXPECT_EQ(text("int f(void) { number = 1; return number; }").accesses("f"),
            (Lines{"number R ({},{})", "number W ({},{})"}));
}

TEST(ScanExecute, WhatEachThreadHasAndWhatNobodyWritesIsNoAccess) {
  EXPECT_EQ(text("__thread int mine; const int fixed = 3; int f(void) { mine = fixed; return mine; }").accesses("f"),
            Lines{});
  EXPECT_EQ(text("__thread struct dev *mine; void f(void) { mine->x = 1; }").accesses("f").size(), 1U)
      << "what it leads to is not the thread's own";
  const std::string known =
      "__thread int mine; int *known; int other(void) { return *known; } void set(int *p) { *p = 1; } void f(void) { "
      "known = &mine; ";
  EXPECT_TRUE(text(known + "mine = 1; }").has("f", "mine W ({},{})")) << "another thread may have its address";
  EXPECT_TRUE(text(known + "set(&mine); }").has("f", "mine W ({},{})"));
}

TEST(ScanExecute, ElementsOfArrays) {
  EXPECT_EQ(text("void f(struct dev *d, int i) { d->a[i] = 1; }").accesses("f"), Lines{"(&d->a)[*] W ({},{})"});
}

TEST(ScanExecute, CopiesAndFills) {
  EXPECT_EQ(text("void f(struct dev *d, struct dev *e) { *d = *e; }").accesses("f"),
            (Lines{"*d W ({},{})", "*e R ({},{})"}));
  EXPECT_EQ(text("void f(struct dev *d) { __builtin_memset(d, 0, sizeof *d); }").accesses("f"), Lines{"*d W ({},{})"});
  // What was there is not known any more.
  EXPECT_TRUE(text("void f(struct dev *d, struct dev *e, int *q) { d->p = q; *d = *e; *d->p = 1; }")
                  .has("f", "*d->p W ({},{})"));
}

TEST(ScanExecute, AtomicOperations) {
  EXPECT_EQ(text("void f(struct dev *d) { __atomic_fetch_add(&d->x, 1, 5); }").accesses("f"), Lines{"d->x AW ({},{})"});
  EXPECT_EQ(text("int f(struct dev *d) { return __atomic_load_n(&d->x, 5); }").accesses("f"), Lines{"d->x AR ({},{})"});
  EXPECT_TRUE(text("void f(struct dev *d, int *q, int *r) { d->p = q; __atomic_exchange_n(&d->p, r, 5); *d->p = 1; }")
                  .has("f", "*d->p W ({},{})"))
      << "what was there is not known any more";
}

TEST(ScanExecute, PointersThatMeet) {
  EXPECT_EQ(text("void f(struct dev *d, int c) { struct dev *q = 0; if (c) q = d; q->x = 1; }").accesses("f"),
            Lines{"d->x W ({},{})"})
      << "null leads nowhere";
  const Lines two =
      text("void f(struct dev *d, struct dev *e, int c) { struct dev *q = e; if (c) q = d; q->x = 1; }").accesses("f");
  EXPECT_EQ(two.size(), 1U);
  EXPECT_FALSE(two[0].starts_with("d->") || two[0].starts_with("e->")) << two[0];
  const Summarised around =
      text("void f(struct dev *d) { for (; d; d = d->next) d->x = 1; } void g(struct dev *e) { f(e); }");
  EXPECT_FALSE(around.has("g", "e->x W ({},{})")) << "around a loop it is another one";
}

TEST(ScanExecute, NumbersMadeFromPointers) {
  EXPECT_EQ(text("void f(struct dev *d) { ((struct dev *)(unsigned long)d)->x = 1; }").accesses("f"),
            Lines{"d->x W ({},{})"});
}

// ---- pointers in memory

TEST(ScanExecute, WhatWasStoredIsKnown) {
  EXPECT_TRUE(text("void f(struct dev *d, int *q) { d->p = q; *d->p = 1; }").has("f", "*q W ({},{})"));
  // Another name for the same member may mean the same memory.
  EXPECT_TRUE(text("void f(struct dev *d, struct dev *e, int *q, int *r) { d->p = q; e->p = r; *d->p = 1; }")
                  .has("f", "*d->p W ({},{})"));
  // On one of two ways.
  EXPECT_TRUE(text("void f(struct dev *d, int *q) { if (rand()) number = 1; else d->p = q; *d->p = 1; }")
                  .has("f", "*d->p W ({},{})"));
  EXPECT_TRUE(text("void f(struct dev *d, int *q) { if (rand()) d->p = q; else number = 1; *d->p = 1; }")
                  .has("f", "*d->p W ({},{})"));
  EXPECT_TRUE(text("void f(struct dev *d, int *q) { if (rand()) d->p = q; *d->p = 1; }").has("f", "*d->p W ({},{})"));
  EXPECT_TRUE(text("void f(struct dev *d, int *q, int *r) { if (rand()) d->p = q; else d->p = r; *d->p = 1; }")
                  .has("f", "*d->p W ({},{})"));
}

TEST(ScanExecute, WhatALoopWritesIsNotKnownInIt) {
  const std::string box =
      "struct box { int *p, *q; }; void set(struct box *b, int *q) { b->p = q; } int look(struct box *b) { return "
      "*b->q; } ";
  EXPECT_TRUE(text(box + "void f(int *q) { struct box b; b.p = q; while (rand()) { *b.p = 1; look(&b); } }")
                  .has("f", "*q W ({},{})"));
  EXPECT_FALSE(text(box + "void f(int *q, int *r) { struct box b; b.p = q; while (rand()) { *b.p = 1; set(&b, r); } }")
                   .has("f", "*q W ({},{})"));
  EXPECT_FALSE(
      text(box +
           "void f(int *q, int *r) { struct box b; b.p = b.q = q; while (rand()) { *b.p = 1; b.p = r; } look(&b); }")
          .has("f", "*q W ({},{})"));
  EXPECT_TRUE(text("void f(struct dev *d, int *q) { d->p = q; while (rand()) *d->p = 1; }").has("f", "*d->p W ({},{})"))
      << "of memory that others know, nothing is known around a loop";
}

TEST(ScanExecute, OnlySoManyStoresAreKept) {
  Limits limits;
  limits.stores = 1;
  const std::string code = "void f(struct dev *d, int *q, int *r) { d->next = 0; d->p = q; *d->p = 1; }";
  EXPECT_TRUE(Summarised(dev_h + code).has("f", "*q W ({},{})"));
  EXPECT_TRUE(Summarised(dev_h + code, {}, limits).has("f", "*d->p W ({},{})"));
}

TEST(ScanExecute, ConstantTablesOfFunctions) {
  const Summarised s = text(R"(void one(struct dev *d) { d->x = 1; } void two(struct dev *d) { d->y = 1; }
    void (*const table[2])(struct dev *) = {one, two}; void f(struct dev *d) { table[1](d); })");
  EXPECT_EQ(s.accesses("f"), Lines{"d->y W ({},{})"});
}

// ---- publication

TEST(ScanPublication, NewMemoryIsPrivateUntilItIsStored) {
  const std::string make = "void f(void) { struct dev *d = malloc(sizeof *d); ";
  EXPECT_EQ(text(make + "d->x = 1; }").accesses("f"), Lines{});
  EXPECT_EQ(text(make + "d->x = 1; list = d; }").accesses("f"), Lines{"list W ({},{})"});
  EXPECT_EQ(text(make + "list = d; d->x = 1; }").accesses("f").size(), 2U);
  EXPECT_EQ(text(make + "__atomic_exchange_n(&list, d, 5); d->x = 1; }").accesses("f").size(), 2U);
  EXPECT_EQ(text("void f(void) { int here = 1; list->p = &here; here = 2; }").accesses("f").size(), 3U)
      << "so is a local";
}

TEST(ScanPublication, WhatItContainsIsKnownWithIt) {
  const std::string two = "void f(void) { struct dev *d = malloc(sizeof *d), *e = malloc(sizeof *e); ";
  EXPECT_EQ(text(two + "e->next = d; d->x = 1; }").accesses("f"), Lines{});
  EXPECT_EQ(text(two + "e->next = d; list = e; d->x = 1; }").accesses("f").size(), 2U);
  EXPECT_EQ(text(two + "list = e; e->next = d; d->x = 1; }").accesses("f").size(), 3U);
  EXPECT_EQ(text("void look(struct dev *d) { d->y = d->x; } " + two +
                 "struct dev tmp; look(&tmp); tmp.next = d; *e = tmp; list = e; d->x = 1; }")
                .accesses("f")
                .size(),
            2U)
      << "a copy contains what the original does";
}

TEST(ScanPublication, EarlierRoundsCount) {
  EXPECT_EQ(text("void f(void) { struct dev *d = malloc(sizeof *d); while (rand()) { d->x = 1; list = d; } }")
                .accesses("f")
                .size(),
            2U);
  EXPECT_EQ(text("void f(void) { while (rand()) { struct dev *d = malloc(sizeof *d); d->x = 1; list = d; } }")
                .accesses("f")
                .size(),
            1U)
      << "each round has its own";
}

TEST(ScanPublication, EscapesThroughACallee) {
  const std::string keep = "void keep(struct dev *d) { list = d; } void look(struct dev *d) { d->y = d->x; } ";
  EXPECT_TRUE(text(keep).summary("keep").escapes(0));
  EXPECT_FALSE(text(keep).summary("look").escapes(0));
  const std::string make = "void f(void) { struct dev *d = malloc(sizeof *d); ";
  EXPECT_EQ(text(keep + make + "look(d); d->x = 1; }").accesses("f"), Lines{});
  EXPECT_EQ(text(keep + make + "keep(d); d->x = 1; }").accesses("f").size(), 1U);
}

TEST(ScanPublication, NewMemoryOfACallee) {
  const std::string make =
      "struct dev *quiet(void) { return malloc(sizeof(struct dev)); }"
      "struct dev *loud(void) { struct dev *d = malloc(sizeof *d); list = d; return d; }"
      "struct dev *inner(struct dev *box) { struct dev *q = malloc(sizeof *q), *p = malloc(sizeof *p);"
      " q->next = p; box->next = q; list = q; return p; }";
  EXPECT_EQ(text(make + "void f(void) { quiet()->x = 1; }").accesses("f"), Lines{});
  EXPECT_EQ(text(make + "void f(void) { loud()->x = 1; }").accesses("f").size(), 1U);
  EXPECT_EQ(text(make + "void f(struct dev *b) { inner(b)->x = 1; }").accesses("f").size(), 2U)
      << "what is in memory that first the caller and then all know, all know";
}

TEST(ScanPublication, StoredInMemoryOfTheCaller) {
  const std::string put = "void put(struct dev *d) { d->next = malloc(sizeof *d); d->next->x = 1; } ";
  EXPECT_TRUE(text(put).has("put", "d->next->x W ({},{})") || text(put).accesses("put").size() >= 3U);
  EXPECT_EQ(text(put + "void f(void) { struct dev d; put(&d); d.next->y = 1; }").accesses("f"), Lines{})
      << "the caller's own";
  EXPECT_NE(text(put + "void f(struct dev *d) { put(d); d->next->y = 1; }").accesses("f"), Lines{});
}

// ---- calls

TEST(ScanCallEffects, NamesOfTheCalleeInOurTerms) {
  const std::string set = "void set(struct dev *d) { d->next->x = 1; d->a[2] = 1; number = 1; } ";
  const Summarised s = text(set + "void f(struct dev *e) { set(e); }");
  EXPECT_TRUE(s.has("f", "e->next->x W ({},{})"));
  EXPECT_TRUE(s.has("f", "e->a[2] W ({},{})"));
  EXPECT_FALSE(s.has("f", "number W ({},{})")) << "settled in the callee";
  EXPECT_TRUE(text("void set(struct dev *d, int i) { d->a[i] = 1; } void f(struct dev *e) { set(e, 1); }")
                  .accesses("f")
                  .size() == 1U);
}

TEST(ScanCallEffects, StoresAndResultsOfTheCallee) {
  const std::string set =
      "void set(struct dev *d, int *q) { d->p = q; } struct dev *next(struct dev *d) { return d->next; } int "
      "zero(void) { return 0; } ";
  EXPECT_TRUE(text(set + "void f(struct dev *e, int *r) { set(e, r); *e->p = 1; }").has("f", "*r W ({},{})"));
  EXPECT_TRUE(text(set + "void f(struct dev *e) { next(e)->x = 1; }").has("f", "e->next->x W ({},{})"));
  EXPECT_EQ(text(set).result("next"), "in d->next->m");
  EXPECT_EQ(text(set).result("zero"), "0");
  EXPECT_EQ(text("int f(void) { return rand() ? 1 : 2; }").result("f"), "unknown");
  EXPECT_EQ(text("struct dev *f(struct dev *d) { if (rand()) return 0; return d->next; }").result("f"),
            "in d->next->m");
  EXPECT_EQ(text("struct dev *f(struct dev *d, struct dev *e) { if (rand()) { number = 1; return d; } return e; }")
                .result("f"),
            "unknown");
  EXPECT_FALSE(text("struct dev *same(struct dev *d) { return d; } struct dev *next(struct dev *d) { return d->next; }"
                    "void f(struct dev *d, int c) { (c ? same : next)(d)->x = 1; }")
                   .has("f", "d->next->x W ({},{})"))
      << "of two targets it is not known whose result it is";
  // Overwritten by a callee that does not tell by what.
  EXPECT_FALSE(text("struct box { int *p; }; int *any(void); void set(struct box *b) { b->p = rand() ? 0 : any(); }"
                    "void f(int *q) { struct box b; b.p = q; set(&b); *b.p = 1; }")
                   .has("f", "*q W ({},{})"));
}

TEST(ScanCallEffects, CallsThroughPointers) {
  const std::string two =
      "void one(struct dev *d) { take(&d->m); take(&d->n); d->y = 1; }"
      "void two(struct dev *d) { take(&d->m); d->x = 1; }"
      "void f(struct dev *d, int c) { void (*call)(struct dev *) = c ? one : two; call(d); number = 1; }";
  EXPECT_TRUE(text(two).has("f", "d->x W ({d->m},{})"));
  EXPECT_TRUE(text(two).has("f", "d->y W ({d->m,d->n},{})"));
  EXPECT_TRUE(text(two).has("f", "number W ({d->m},{})")) << "held after either";
  Limits limits;
  limits.wide_call = 1;
  EXPECT_EQ(Summarised(dev_h + two, {}, limits).accesses("f"), Lines{"number W ({},{})"});
  EXPECT_TRUE(Summarised(dev_h + two, {}, limits).summary("f").calls[0].is_opaque);
}

TEST(ScanCallEffects, LimitOfGroups) {
  Limits limits;
  limits.dependent_groups = 1;
  const std::string code = "void f(struct dev *d) { d->x = 1; take(&d->m); d->y = 1; } void g(struct dev *d) { f(d); }";
  EXPECT_EQ(Summarised(dev_h + code, {}, limits).summary("f").dependent, 1U);
  EXPECT_EQ(Summarised(dev_h + code, {}, limits).accesses("f").size(), 2U) << "the rest is settled, not lost";
  EXPECT_EQ(Summarised(dev_h + code).accesses("g").size(), 2U);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::scan
