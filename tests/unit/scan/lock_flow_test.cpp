// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Relative locksets and running threads at accesses, calls and returns, operation by operation. Each fails when its
// operation is weakened (tests/mutations/scan.txt).
#include <gtest/gtest.h>

#include "scan/scanned.h"

namespace heddle::scan {
namespace HEDDLE_TEST_FILE {

const std::string dev_h = threads_h + R"(
struct dev { pthread_mutex_t m, n; int x, y; struct dev *next; pthread_rwlock_t rw; }; int rand(void); int number;
pthread_mutex_t g, h; void abort(void) __attribute__((noreturn)); int pthread_mutex_timedlock(pthread_mutex_t *, const void *);
int pthread_rwlock_tryrdlock(pthread_rwlock_t *); pthread_t one, many[4]; int pthread_detach(pthread_t);
void *worker(void *a) { return a; } void *other(void *a) { return a; } void here(void) { number++; }
)";

Summarised text(const std::string& code) { return Summarised(dev_h + code); }
std::string at(const std::string& body) {
  return text("void f(struct dev *d, struct dev *e) { " + body + " }").at_call("f", "here");
}

// ---- locks

TEST(ScanLockFlow, TakeAndGive) {
  EXPECT_EQ(at("here();"), "({},{})");
  EXPECT_EQ(at("take(&d->m); here();"), "({d->m},{})");
  EXPECT_EQ(at("take(&d->m); take(&g); here();"), "({d->m,g},{})");
  EXPECT_EQ(at("take(&d->m); give(&d->m); here();"), "({},{})");
  EXPECT_EQ(at("give(&d->m); here();"), "({},{d->m})") << "given back for the caller";
  EXPECT_EQ(at("pthread_rwlock_rdlock(&d->rw); here();"), "({d->rw shared},{})");
  EXPECT_EQ(at("pthread_rwlock_wrlock(&d->rw); here();"), "({d->rw},{})");
}

TEST(ScanLockFlow, WaysThatMeet) {
  EXPECT_EQ(at("if (rand()) take(&d->m); here();"), "({},{})");
  EXPECT_EQ(at("if (rand()) take(&d->m); else { take(&d->m); take(&g); } here();"), "({d->m},{})");
  EXPECT_EQ(at("take(&d->m); if (rand()) give(&d->m); here();"), "({},{})");
  EXPECT_EQ(at("take(&d->m); while (rand()) { give(&d->m); } here();"), "({},{d->m})") << "around a loop";
  EXPECT_EQ(at("if (rand()) pthread_rwlock_rdlock(&d->rw); else pthread_rwlock_wrlock(&d->rw); here();"),
            "({d->rw shared},{})");
}

TEST(ScanLockFlow, OutcomeOfATryLock) {
  EXPECT_EQ(at("pthread_mutex_trylock(&d->m); here();"), "({},{})");
  EXPECT_EQ(at("if (pthread_mutex_trylock(&d->m) == 0) here();"), "({d->m},{})");
  EXPECT_EQ(at("if (pthread_mutex_trylock(&d->m) != 0) here();"), "({},{})");
  EXPECT_EQ(at("if (!pthread_mutex_trylock(&d->m)) here();"), "({d->m},{})");
  EXPECT_EQ(at("int r = pthread_mutex_trylock(&d->m); if (r != 0) return; here();"), "({d->m},{})");
  EXPECT_EQ(at("int r = pthread_mutex_trylock(&d->m); if (r == 16) here();"), "({},{})");
  EXPECT_EQ(at("_Bool ok = pthread_mutex_trylock(&d->m) == 0; if (ok) here();"), "({d->m},{})");
  EXPECT_EQ(at("_Bool ok = pthread_mutex_trylock(&d->m) == 0; if (!ok) here();"), "({},{})");
  EXPECT_EQ(at("int ok = pthread_mutex_trylock(&d->m) == 0; number = ok; if (ok == 0) here();"), "({},{})");
  EXPECT_EQ(at("int r = pthread_mutex_trylock(&d->m); if (r != 16) here();"), "({},{})") << "nor any other error";
  EXPECT_EQ(at("int r = pthread_mutex_trylock(&d->m); if (r < 0) here();"), "({},{})");
  EXPECT_EQ(at("int r = pthread_mutex_trylock(&d->m); give(&g); if (r == 0) here();"), "({},{g})")
      << "no longer known which it was about, so not held";
  EXPECT_EQ(at("int r = pthread_mutex_trylock(&d->m), s = pthread_mutex_trylock(&d->n); if (r == 0) here();"),
            "({},{})");
  EXPECT_EQ(at("int r = rand(), s = pthread_mutex_trylock(&d->n); if (r == 0) here(); number = s;"), "({},{})")
      << "the test is about another value";
  EXPECT_EQ(at("if (pthread_rwlock_tryrdlock(&d->rw) == 0) here();"), "({d->rw shared},{})");
}

TEST(ScanLockFlow, ResultOfACalleeTells) {
  const std::string get = "int get(struct dev *d) { if (d->x) return 0; take(&d->m); return 1; } ";
  EXPECT_EQ(text(get).exit("get"), "({},{})");
  EXPECT_EQ(text(get).exit_zero("get"), "({},{})");
  EXPECT_EQ(text(get).exit_other("get"), "({d->m},{})");
  EXPECT_EQ(text(get + "void f(struct dev *d) { if (get(d)) here(); }").at_call("f", "here"), "({d->m},{})");
  EXPECT_EQ(text(get + "void f(struct dev *d) { if (!get(d)) here(); }").at_call("f", "here"), "({},{})");
  EXPECT_EQ(text(get + "void f(struct dev *d) { get(d); here(); }").at_call("f", "here"), "({},{})");
  EXPECT_EQ(text(get + "void f(struct dev *d) { if (get(d) < 0) here(); }").at_call("f", "here"), "({d->m},{})");
  const std::string attempt = "int attempt(struct dev *d) { return pthread_mutex_trylock(&d->m); } ";
  EXPECT_EQ(text(attempt).exit_zero("attempt"), "({d->m},{})");
  EXPECT_EQ(text(attempt).exit_other("attempt"), "({},{})");
  // What may be null is not known to be other.
  const std::string first =
      "struct dev *first(struct dev *d) { if (d->x) { take(&d->m); return d->next; } return 0; } ";
  EXPECT_EQ(text(first).exit_zero("first"), "({},{})");
  EXPECT_EQ(text("int any(struct dev *d) { if (d->x) { take(&d->m); return rand(); } return 1; }").exit_zero("any"),
            "({d->m},{})");
  EXPECT_EQ(text("int any(struct dev *d) { if (d->x) { take(&d->m); return rand(); } return 1; }").exit_other("any"),
            "({},{})");
}

TEST(ScanLockFlow, ResultOfWhichNothingIsKnownCountsAsBoth) {
  const std::string any = "int any(struct dev *d) { if (d->x) { take(&d->m); return 1; } return rand(); }";
  EXPECT_EQ(text(any).exit_other("any"), "({},{})");
  EXPECT_EQ(text(any).exit_zero("any"), "({},{})");
}

TEST(ScanLockFlow, LocksOfCallees) {
  const std::string two = "void lock(struct dev *d) { take(&d->m); } void unlock(struct dev *d) { give(&d->m); } ";
  EXPECT_EQ(text(two).exit("lock"), "({d->m},{})");
  EXPECT_EQ(text(two).exit("unlock"), "({},{d->m})");
  EXPECT_EQ(text(two + "void f(struct dev *d) { lock(d->next); here(); }").at_call("f", "here"), "({d->next->m},{})");
  EXPECT_EQ(text(two + "void f(struct dev *d) { lock(d); unlock(d); here(); }").at_call("f", "here"), "({},{})");
  EXPECT_TRUE(text("void set(struct dev *d) { take(&d->m); d->x = 1; give(&d->m); d->y = 1; }"
                   "void f(struct dev *d) { take(&g); set(d); }")
                  .has("f", "d->x W ({d->m,g},{})"));
  EXPECT_TRUE(text("void set(struct dev *d) { give(&d->m); d->x = 1; take(&d->m); }"
                   "void f(struct dev *d) { take(&d->m); set(d); }")
                  .has("f", "d->x W ({},{})"))
      << "the callee gives back what the caller holds";
}

TEST(ScanLockFlow, CallsThatNeverReturn) {
  EXPECT_EQ(at("if (rand()) abort(); else take(&d->m); here();"), "({d->m},{})");
  const std::string die = "void die(void) { abort(); } ";
  EXPECT_FALSE(text(die).summary("die").returns);
  EXPECT_TRUE(text(die).summary("here").returns);
  EXPECT_EQ(text(die + "void f(struct dev *d) { if (rand()) die(); else take(&d->m); here(); }").at_call("f", "here"),
            "({d->m},{})");
  EXPECT_EQ(text(die + "void f(struct dev *d) { die(); here(); }").at_call("f", "here"), "not called");
}

TEST(ScanLockFlow, NamesThatChangeTheirMeaning) {
  EXPECT_EQ(at("for (struct dev *n = d; n; n = n->next) { here(); take(&n->m); }"), "({},{})");
  EXPECT_EQ(at("take(&d->m); for (struct dev *n = d; n; n = n->next) here();"), "({d->m},{})")
      << "n->m is held in the first round only";
  // Given back by a vague name, a lock that it may mean is not held.
  EXPECT_EQ(at("struct dev *n = rand() ? d : e; take(&d->m); give(&n->m); here();").find("d->m},{"), std::string::npos);
  EXPECT_NE(at("struct dev *n = rand() ? d : e; take(&d->m); give(&n->n); here();").find("({d->m},{"),
            std::string::npos)
      << "another member is another lock";
}

const std::string enter_leave =
    "void enter(struct dev *d) { if (d) take(&d->m); } void leave(struct dev *d) { if (d) give(&d->m); } ";

std::string between(const std::string& given, const std::string& parameters = "struct dev *d, struct dev *e") {
  return text(enter_leave + "void f(" + parameters + ") { enter(" + given + "); here(); leave(" + given + "); }")
      .at_call("f", "here");
}

TEST(ScanLockFlow, CalleesThatLockUnlessTheyAreGivenNull) {
  const std::string some = "struct dev some; ";
  const auto f = [&](const std::string& body) {
    return text(enter_leave + some + "void f(struct dev *d, struct dev *e) { " + body + " }");
  };
  EXPECT_EQ(f("enter(&some); here();").at_call("f", "here"), "({some.m},{})");
  EXPECT_EQ(f("enter(0); here();").at_call("f", "here"), "({},{})") << "nothing was taken";
  EXPECT_EQ(f("enter(&some); leave(&some); here();").at_call("f", "here"), "({},{})");
  EXPECT_EQ(f("enter(&some); leave(0); here();").at_call("f", "here"), "({some.m},{})") << "nothing was given back";
  EXPECT_EQ(f("enter(d->next); here();").at_call("f", "here"), "({},{})") << "that may be null";
  EXPECT_EQ(f("enter(d); leave(e); here();").at_call("f", "here"), "({},{e->m})") << "if e is not null";
}

/// What is null or `&some` has the name of `some`, and is still not surely there.
TEST(ScanLockFlow, WhatMayBeNullIsNotTakenForAnAddress) {
  const auto f = [&](const std::string& given, const std::string& more = "struct dev some;") {
    return text(enter_leave + more + " void f(struct dev *d) { enter(" + given + "); here(); }").at_call("f", "here");
  };
  EXPECT_EQ(f("rand() ? &some : 0"), "({},{})");
  EXPECT_EQ(f("rand() ? &some : &some"), "({some.m},{})");
  const std::string two = enter_leave + "struct dev some; void f(void) { struct dev *p = ";
  EXPECT_EQ(text(two + "0; if (rand()) { number++; p = &some; } enter(p); here(); }").at_call("f", "here"), "({},{})");
  EXPECT_EQ(text(two + "&some; if (rand()) { number++; p = &some; } enter(p); here(); }").at_call("f", "here"),
            "({some.m},{})");
  EXPECT_EQ(f("&some", "extern struct dev some __attribute__((weak));"), "({},{})");
  EXPECT_EQ(f("d + rand()"), "({},{})") << "null is an element of no array, but the first one may be meant";
  const std::string hook = " void open(void (*f)(void)) { if (f) take(&g); } void f(void) { open(hook); here(); }";
  EXPECT_EQ(text("extern void hook(void) __attribute__((weak));" + hook).at_call("f", "here"), "({},{})");
  EXPECT_EQ(text("extern void hook(void);" + hook).at_call("f", "here"), "({g},{})");
  EXPECT_EQ(f("get()", "struct dev some; struct dev *get(void) { return rand() ? &some : 0; }"), "({},{})");
  EXPECT_EQ(f("kept", "struct dev some, *kept;"), "({},{})");
  const std::string get =
      "struct dev some; struct dev *get(void) { struct dev *p = rand() ? &some : 0; if (rand()) { take(&g); return 0; }"
      " return p; } void f(void) { if (!get()) here(); }";
  EXPECT_EQ(text(get).at_call("f", "here"), "({},{})") << "null is returned without the lock, too";
}

TEST(ScanLockFlow, WhatLocksUnlessNullIsKnownThroughWrappers) {
  EXPECT_EQ(between("d"), "({},{})") << "in any case";
  const std::string twice = enter_leave +
                            "void in(struct dev *d) { enter(d); } void out(struct dev *d) { leave(d); }"
                            "struct dev some; int shared; void f(void) { in(&some); shared = 1; out(&some); }";
  EXPECT_TRUE(text(twice).has("f", "shared W ({some.m},{})"));
  const std::string set =
      enter_leave + "void set(struct dev *d, int *p) { enter(d); *p = 1; leave(d); } struct dev some;";
  EXPECT_EQ(text(set + "int shared; void f(void) { set(&some, &shared); }").accesses("f"),
            Lines{"shared W ({some.m},{})"});
  EXPECT_EQ(text(set + "int shared; void f(void) { set(0, &shared); }").accesses("f"), Lines{"shared W ({},{})"});
}

TEST(ScanLockFlow, NumbersThatCastsCut) {
  const std::string f =
      "void f(struct dev *d, int n) { if ((char)n) take(&d->m); d->x = 1; if ((char)n) give(&d->m); } ";
  EXPECT_TRUE(text(f + "void k(struct dev *d) { f(d, 256); }").has("k", "d->x W ({},{})"));
  const std::string lock = "void lock(struct dev *d, int n) { if ((char)n) take(&d->m); } ";
  EXPECT_EQ(text(lock + "void k(struct dev *d) { lock(d, 256); here(); }").at_call("k", "here"), "({},{})");
  const std::string byte = "void lock(struct dev *d, char n) { if (n) take(&d->m); } struct dev some; ";
  EXPECT_EQ(
      text(byte + "void k(struct dev *d) { struct dev own; lock(d, (char)(long)&own); here(); }").at_call("k", "here"),
      "({},{})")
      << "the last byte of an address may be zero";
  EXPECT_EQ(text(byte + "void k(struct dev *d) { lock(d, (char)(long)&some); here(); }").at_call("k", "here"),
            "({},{})");
  const std::string sign = "void lock(struct dev *d, signed char n) { if ((int)(unsigned char)n < 0) take(&d->m); } ";
  EXPECT_EQ(text(sign + "void k(struct dev *d) { lock(d, -1); here(); }").at_call("k", "here"), "({},{})");
}

TEST(ScanLockFlow, BlocksThatAskWhichWayTheyWereReached) {
  const std::string sync = "for (int i = 0; i ? (give(&g), 0) : (take(&g), 1); i = 1) for (int j = 0; !j; j = 1) ";
  EXPECT_EQ(at(sync + "{ here(); }"), "({g},{})");
  EXPECT_EQ(at(sync + "{ number++; } here();"), "({},{})");
  EXPECT_EQ(at(sync + "{ if (rand()) break; number++; } here();"), "({},{})");
  EXPECT_EQ(at("int done = 0; while (!done) { take(&g); done = 1; } here();"), "({g},{})");
  EXPECT_EQ(at("int done = 0; while (!done) { take(&g); done = rand(); give(&g); } here();"), "({},{})");
  EXPECT_EQ(at("int held = 0; if (rand()) { take(&g); held = 1; } if (held) here();"), "({g},{})");
  EXPECT_EQ(at("int held = 0; if (rand()) { take(&g); held = 1; } if (!held) here();"), "({},{})");
  EXPECT_EQ(at("int held = 0; if (rand()) { take(&g); held = rand(); } if (held) here();"), "({g},{})")
      << "only that way leads there";
  EXPECT_EQ(at("int held = 1; if (rand()) { take(&g); held = rand(); } if (held) here();"), "({},{})");
  EXPECT_EQ(at("int held = 0; if (rand()) { take(&g); held = 1; } number++; if (held) here();"), "({},{})")
      << "a block that does something is one for all ways";
}

TEST(ScanLockFlow, VariantsByAParameter) {
  const Summarised s =
      text("void f(struct dev *d, int need) { if (need) take(&d->m); d->x = 1; if (need) give(&d->m); }");
  EXPECT_EQ(s.accesses("f"), (Lines{"d->x W ({d->m},{}) if 1: other", "d->x W ({},{}) if 1: zero"}));
  const std::string f = "void f(struct dev *d, int need) { if (need) take(&d->m); d->x = 1; if (need) give(&d->m); } ";
  EXPECT_EQ(text(f + "void k(struct dev *d) { f(d, 1); }").accesses("k"), Lines{"d->x W ({d->m},{})"});
  EXPECT_EQ(text(f + "void k(struct dev *d) { f(d, 0); }").accesses("k"), Lines{"d->x W ({},{})"});
  EXPECT_EQ(text(f + "void k(struct dev *d, int no, int yes) { f(d, yes); }").accesses("k"),
            (Lines{"d->x W ({d->m},{}) if 2: other", "d->x W ({},{}) if 2: zero"}));
  EXPECT_EQ(text(f + "void k(struct dev *d) { f(d, rand()); }").accesses("k"),
            (Lines{"d->x W ({d->m},{})", "d->x W ({},{})"}));
  // A call and a return that both variants come to have what both hold.
  const Summarised both =
      text("void f(struct dev *d, int need) { if (!need) take(&d->m); here(); if (!need) number = 1; }");
  EXPECT_EQ(both.at_call("f", "here"), "({},{})");
  EXPECT_EQ(both.exit("f"), "({},{})");
  // A value that a loop makes anew is not one value.
  EXPECT_EQ(
      text("void f(struct dev *d) { for (;;) { int r = rand(); if (r) take(&d->m); d->x = 1; if (r) give(&d->m); } }")
          .accesses("f"),
      Lines{"d->x W ({},{d->m})"});
}

TEST(ScanLockFlow, BranchesOnConstants) {
  EXPECT_EQ(
      text("int on(void) { return 1; } void f(struct dev *d) { if (on()) take(&d->m); here(); }").at_call("f", "here"),
      "({d->m},{})");
  EXPECT_EQ(
      text("int on(void) { return 0; } void f(struct dev *d) { if (on()) take(&d->m); here(); }").at_call("f", "here"),
      "({},{})");
  EXPECT_EQ(text("int on(void) { return 256; } void f(struct dev *d) { if ((char)on()) take(&d->m); here(); }")
                .at_call("f", "here"),
            "({},{})")
      << "a cast may have cut it";
}

TEST(ScanLockFlow, LocksThatExcludeNobody) {
  EXPECT_EQ(text("__thread pthread_mutex_t own; void f(void) { take(&own); here(); }").at_call("f", "here"), "({},{})");
  EXPECT_EQ(
      text("void f(struct dev *d) { struct dev *n = malloc(sizeof *n); take(&n->m); give(&n->m); here(); }").exit("f"),
      "({},{})");
}

// ---- threads

std::string beside(const std::string& body) {
  return text("void f(pthread_t *p) { pthread_t t, u; " + body + " }").running("f", "here");
}

TEST(ScanThreadFlow, StartAndWait) {
  EXPECT_EQ(beside("here();"), "none");
  EXPECT_EQ(beside("pthread_create(&one, 0, worker, 0); here();"), "worker by one");
  EXPECT_EQ(beside("pthread_create(&one, 0, worker, 0); pthread_join(one, 0); here();"), "none any more");
  EXPECT_EQ(beside("pthread_create(&one, 0, worker, 0); pthread_join(many[0], 0); here();"), "worker by one");
  EXPECT_EQ(beside("pthread_create(&t, 0, worker, 0); pthread_create(&u, 0, other, 0); pthread_join(t, 0); here();"),
            "other by u");
  EXPECT_EQ(beside("pthread_create(p, 0, worker, 0); here();"), "worker by *p");
}

TEST(ScanThreadFlow, WaysThatMeet) {
  EXPECT_EQ(beside("if (rand()) pthread_create(&one, 0, worker, 0); here();"), "worker by one");
  EXPECT_EQ(beside("pthread_create(&one, 0, worker, 0); if (rand()) pthread_join(one, 0); here();"), "worker by one");
}

TEST(ScanThreadFlow, HandlesThatAreLost) {
  EXPECT_EQ(
      beside("pthread_create(&one, 0, worker, 0); pthread_create(&one, 0, other, 0); pthread_join(one, 0); here();"),
      "others");
  EXPECT_EQ(
      beside("pthread_create(&one, 0, worker, 0); pthread_create(&one, 0, worker, 0); pthread_join(one, 0); here();"),
      "worker by one many")
      << "also if both do the same";
  EXPECT_EQ(beside("pthread_t *q = rand() ? &t : &u; pthread_create(q, 0, worker, 0); here();"), "others");
  EXPECT_EQ(beside("pthread_create(&one, 0, worker, 0); pthread_detach(one); here();"), "detached");
  EXPECT_EQ(beside("pthread_detach(one); here();"), "none");
}

TEST(ScanThreadFlow, Loops) {
  const std::string start = "for (int i = 0; i < 4; i++) pthread_create(&many[i], 0, worker, 0); ";
  EXPECT_EQ(beside(start + "here();"), "worker by (&many)[*] many");
  EXPECT_EQ(beside(start + "for (int i = 0; i < 4; i++) pthread_join(many[i], 0); here();"), "none any more");
  EXPECT_EQ(beside(start + "pthread_join(many[0], 0); here();"), "worker by (&many)[*] many");
  EXPECT_EQ(beside("for (int i = 0; i < 4; i++) pthread_create(&one, 0, worker, 0); pthread_join(one, 0); here();"),
            "worker by one many, worker by one many");
  EXPECT_EQ(beside("for (int i = 0; i < 4; i++) { pthread_create(&one, 0, worker, 0); pthread_join(one, 0); } here();"),
            "none any more");
  EXPECT_EQ(
      beside(
          "for (int i = 0; i < 4; i++) { pthread_create(&many[i], 0, worker, 0); pthread_join(many[i], 0); here(); }"),
      "none any more");
  // A loop that is left in the middle has not waited for all.
  EXPECT_EQ(beside(start + "for (int i = 0; i < 4; i++) { if (rand()) break; pthread_join(many[i], 0); } here();"),
            "worker by (&many)[*] many");
}

TEST(ScanThreadFlow, Callees) {
  const std::string two =
      "void start(pthread_t *p, void *(*f)(void *)) { pthread_create(p, 0, f, 0); } void stop(pthread_t *p) { "
      "pthread_join(*p, 0); } "
      "pthread_t make(void) { pthread_t t; pthread_create(&t, 0, worker, 0); return t; } ";
  const auto running = [&](const std::string& body) {
    return text(two + "void f(void) { pthread_t t; " + body + " }").running("f", "here");
  };
  EXPECT_EQ(text(two).running_at_exit("start"), "? by parameter 1 by *p");
  EXPECT_EQ(text(two).starts("start"), Lines{"? by parameter 1"});
  EXPECT_EQ(running("start(&one, worker); here();"), "worker by one");
  EXPECT_EQ(running("start(&one, worker); stop(&one); here();"), "none any more");
  EXPECT_EQ(running("start(&one, worker); stop(&t); here();"), "worker by one");
  EXPECT_EQ(running("start(&one, worker); start(&one, worker); stop(&one); here();"), "worker by one many");
  EXPECT_EQ(running("one = make(); here();"), "worker by one");
  EXPECT_EQ(running("one = make(); pthread_join(one, 0); here();"), "none any more");
  EXPECT_EQ(running("one = make(); one = make(); pthread_join(one, 0); here();"), "worker by one many");
  EXPECT_EQ(text(two + "void f(void) { start(&one, worker); }").starts("f"), Lines{"worker"});
  EXPECT_EQ(text(two + "void f(void) { while (rand()) start(&one, worker); }").starts("f"), Lines{"worker in a loop"});
}

TEST(ScanThreadFlow, WhatIsStarted) {
  const auto starts = [](const std::string& body) { return text("void f(void *a) { " + body + " }").starts("f"); };
  EXPECT_EQ(starts("pthread_create(&one, 0, worker, a);"), Lines{"worker"});
  EXPECT_EQ(starts("pthread_create(&one, 0, worker, malloc(4));"), Lines{"worker with its own argument"});
  EXPECT_EQ(starts("while (rand()) pthread_create(&one, 0, worker, a);"), Lines{"worker in a loop"});
  EXPECT_EQ(starts("pthread_t t, u, *q = rand() ? &t : &u; pthread_create(q, 0, worker, a);"),
            Lines{"worker without handle"});
  EXPECT_EQ(starts("abort(); pthread_create(&one, 0, worker, a);"), Lines{});
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::scan
