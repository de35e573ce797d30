// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "scan/scanned.h"

namespace heddle::scan {
namespace HEDDLE_TEST_FILE {

/// main does `body`; the worker writes x without a lock.
Scanned main_does(const std::string& body, const std::string& before = "") {
  return Scanned(threads_h + "int x; void *worker(void *arg) { x = 1; return 0; }\n" +
                 "void *other(void *arg) { x = 3; return 0; }\n" + before +
                 "\nint main(void) { pthread_t t, u, a[4]; " + body + " return 0; }\n");
}

TEST(Joins, WhatFollowsTheJoinIsAlone) {
  EXPECT_EQ(main_does("pthread_create(&t, 0, worker, 0); pthread_join(t, 0); x = 2;").warnings(), Lines{});
  EXPECT_EQ(main_does("pthread_create(&t, 0, worker, 0); x = 2; pthread_join(t, 0);").warnings().size(), 1U);
  EXPECT_EQ(main_does("pthread_create(&t, 0, worker, 0); pthread_join(u, 0); x = 2;").warnings().size(), 1U);
}

TEST(Joins, OnOneOfTwoWaysIsNotEnough) {
  EXPECT_EQ(main_does("pthread_create(&t, 0, worker, 0); if (rand()) pthread_join(t, 0); x = 2;", "int rand(void);")
                .warnings()
                .size(),
            1U);
}

TEST(Joins, ThreadsOneAfterAnotherDoNotMeet) {
  EXPECT_EQ(
      main_does("pthread_create(&t, 0, worker, 0); pthread_join(t, 0); pthread_create(&t, 0, other, 0);").warnings(),
      Lines{});
  EXPECT_EQ(main_does("pthread_create(&t, 0, worker, 0); pthread_create(&u, 0, other, 0); pthread_join(t, 0);")
                .warnings()
                .size(),
            1U);
  // Nor do two instances of one.
  EXPECT_EQ(
      main_does("for (int i = 0; i < 4; i++) { pthread_create(&t, 0, worker, 0); pthread_join(t, 0); }").warnings(),
      Lines{});
}

TEST(Joins, OverwrittenHandleIsLost) {
  EXPECT_EQ(main_does("pthread_create(&t, 0, worker, 0); pthread_create(&t, 0, other, 0); pthread_join(t, 0); x = 2;")
                .warnings()
                .size(),
            3U);
  EXPECT_FALSE(main_does("for (int i = 0; i < 4; i++) pthread_create(&t, 0, worker, 0); pthread_join(t, 0); x = 2;")
                   .warnings()
                   .empty());
}

TEST(Joins, SeveralOfALoopWhoseHandleAnotherThreadTakes) {
  const std::string more = "int y; void *reader(void *arg) { return (void *)(long)y; }";
  EXPECT_EQ(
      main_does("for (int i = 0; i < 4; i++) { pthread_create(&t, 0, worker, 0); pthread_create(&t, 0, reader, 0); }",
                more)
          .warnings()
          .size(),
      1U)
      << "worker against itself";
  EXPECT_EQ(main_does("pthread_create(&t, 0, worker, 0); pthread_create(&t, 0, reader, 0);", more).warnings(), Lines{});
  EXPECT_EQ(main_does("for (int i = 0; i < 4; i++) { pthread_create(&t, 0, worker, 0); pthread_detach(t); }")
                .warnings()
                .size(),
            1U);
}

TEST(Joins, LoopOverAnArrayWaitsForAll) {
  const std::string start = "for (int i = 0; i < 4; i++) pthread_create(&a[i], 0, worker, 0); ";
  const Lines racy_instances = main_does(start).warnings();
  EXPECT_EQ(main_does(start + "for (int i = 0; i < 4; i++) pthread_join(a[i], 0); x = 2;").warnings(), racy_instances);
  EXPECT_NE(main_does(start + "for (int i = 0; i < 4; i++) { pthread_join(a[i], 0); x = 2; }").warnings(),
            racy_instances);
  EXPECT_NE(main_does(start + "pthread_join(a[0], 0); x = 2;").warnings(), racy_instances);
}

TEST(Joins, FunctionsThatStartAndWaitAreSeenThrough) {
  const std::string pair =
      "pthread_t g; static void start(void) { pthread_create(&g, 0, worker, 0); }\n"
      "static void stop(void) { pthread_join(g, 0); }\n"
      "static void start_by(pthread_t *p) { pthread_create(p, 0, worker, 0); }\n";
  EXPECT_EQ(main_does("start(); stop(); x = 2;", pair).warnings(), Lines{});
  EXPECT_EQ(main_does("start(); x = 2; stop();", pair).warnings().size(), 1U);
  EXPECT_EQ(main_does("start_by(&t); pthread_join(t, 0); x = 2;", pair).warnings(), Lines{});
  EXPECT_EQ(main_does("start_by(&t); start_by(&u); pthread_join(t, 0); x = 2;", pair).warnings().size(), 2U);
}

TEST(Joins, AccessBehindTheJoinInACalleeIsAlone) {
  const std::string stop = "pthread_t g; static void stop(void) { pthread_join(g, 0); x = 2; }\n";
  EXPECT_EQ(main_does("pthread_create(&g, 0, worker, 0); stop();", stop).warnings(), Lines{});
}

TEST(Joins, ThreadIsAloneBeforeItStartsAnother) {
  const std::string text = threads_h + R"(
int x; pthread_t u;
void *child(void *arg) { x = 1; return 0; }
void *parent(void *arg) { BEFORE pthread_create(&u, 0, child, 0); BETWEEN pthread_join(u, 0); AFTER return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, parent, 0); return 0; }
)";
  EXPECT_EQ(Scanned("#define BEFORE x = 2;\n#define BETWEEN\n#define AFTER\n" + text).warnings(), Lines{});
  EXPECT_EQ(Scanned("#define BEFORE\n#define BETWEEN\n#define AFTER x = 2;\n" + text).warnings(), Lines{});
  EXPECT_EQ(Scanned("#define BEFORE\n#define BETWEEN x = 2;\n#define AFTER\n" + text).warnings().size(), 1U);
}

TEST(Joins, DetachedThreadsStay) {
  EXPECT_EQ(main_does("pthread_create(&t, 0, worker, 0); pthread_detach(t); x = 2;").warnings().size(), 1U);
}

TEST(Joins, HandleThatAWrapperReturns) {
  const std::string make =
      "pthread_t make(void *(*f)(void *)) { pthread_t h; if (pthread_create(&h, 0, f, 0)) abort(); return h; }"
      "pthread_t again(void *(*f)(void *)) { return make(f); }";
  const std::string before = "void abort(void) __attribute__((noreturn));" + make + "pthread_t g;";
  EXPECT_EQ(main_does("t = make(worker); pthread_join(t, 0); x = 2;", before).warnings(), Lines{});
  EXPECT_EQ(main_does("g = again(worker); pthread_join(g, 0); x = 2;", before).warnings(), Lines{});
  EXPECT_EQ(
      main_does("for (int i = 0; i < 4; i++) { g = make(worker); pthread_join(g, 0); x = 2; }", before).warnings(),
      Lines{});
  EXPECT_EQ(main_does("t = make(worker); x = 2; pthread_join(t, 0);", before).warnings().size(), 1U);
  EXPECT_EQ(main_does("g = make(worker); pthread_join(u, 0); x = 2;", before).warnings().size(), 1U);
  // The first handle is lost.
  EXPECT_EQ(main_does("g = make(worker); g = make(other); pthread_join(g, 0); x = 2;", before).warnings().size(), 3U);
  EXPECT_FALSE(
      main_does("for (int i = 0; i < 4; i++) g = make(worker); pthread_join(g, 0); x = 2;", before).warnings().empty());
}

TEST(Joins, EntryThatOnlyCallsItsArgument) {
  const std::string before =
      "void *enter(void *f) { ((void *(*)(void *))f)(0); return 0; }"
      "int y; void *idle(void *arg) { y++; return 0; }";
  EXPECT_EQ(
      main_does("pthread_create(&t, 0, enter, worker); pthread_join(t, 0); pthread_create(&u, 0, enter, idle); x = 2;",
                before)
          .warnings(),
      Lines{});
  EXPECT_EQ(
      main_does("pthread_create(&t, 0, enter, worker); pthread_create(&u, 0, enter, idle); pthread_join(u, 0); x = 2;",
                before)
          .warnings(),
      Lines{"x: write worker / write main"});
  EXPECT_EQ(main_does("pthread_create(&t, 0, enter, worker); pthread_create(&u, 0, enter, other);", before).warnings(),
            Lines{"x: write worker / write other"});
  // Nobody knows what it calls.
  EXPECT_FALSE(
      main_does("pthread_create(&t, 0, enter, table[0]); x = 2;", before + "void *(*table[2])(void *) = {worker};")
          .warnings()
          .empty());
}

TEST(Joins, ThreadThatStartsAnotherIsAloneBefore) {
  const std::string before =
      "pthread_t h; void *first(void *arg) { x = 4; pthread_create(&h, 0, worker, 0); pthread_join(h, 0); x = 5; "
      "return 0; }"
      "void *bad(void *arg) { pthread_create(&h, 0, worker, 0); x = 4; pthread_join(h, 0); return 0; }";
  EXPECT_EQ(main_does("pthread_create(&t, 0, first, 0);", before).warnings(), Lines{});
  EXPECT_FALSE(main_does("pthread_create(&t, 0, bad, 0);", before).warnings().empty());
  // main started one as well.
  const auto meets_first = [&](const std::string& body) {
    return std::ranges::any_of(main_does(body, before).warnings(),
                               [](const std::string& line) { return line.contains("first"); });
  };
  EXPECT_TRUE(meets_first("pthread_create(&u, 0, worker, 0); pthread_create(&t, 0, first, 0);"));
  EXPECT_FALSE(meets_first("pthread_create(&u, 0, worker, 0); pthread_join(u, 0); pthread_create(&t, 0, first, 0);"));
}

/// main starts `first` again and again and waits for it each time; `first` starts the worker and does `body`.
TEST(Joins, ThreadsOfAThreadThatIsStartedAgainAndAgain) {
  const auto warned = [](const std::string& before, const std::string& body) {
    return main_does("for (int i = 0; i < 4; i++) { pthread_create(&t, 0, first, 0); pthread_join(t, 0); }",
                     "pthread_t h; void *idle(void *a) { return a; } int pthread_detach(pthread_t); void "
                     "pthread_exit(void *) __attribute__((noreturn));"
                     "void *first(void *arg) { " +
                         before + " pthread_create(&h, 0, worker, 0); " + body + " return 0; }")
        .warnings();
  };
  const Lines both{"x: write worker / write worker"};
  EXPECT_EQ(warned("", "pthread_join(h, 0);"), Lines{});
  EXPECT_EQ(warned("", ""), both) << "the last one still runs";
  EXPECT_EQ(warned("", "pthread_detach(h);"), both);
  EXPECT_EQ(warned("", "pthread_create(&h, 0, idle, 0); pthread_join(h, 0);"), both) << "its handle is lost";
  EXPECT_EQ(warned("", "if (arg) pthread_exit(0); pthread_join(h, 0);"), Lines{"? " + both[0]})
      << "it may end before it waits";
  EXPECT_EQ(warned("x = 4;", "pthread_join(h, 0);"), Lines{});
  const Lines early = warned("x = 4;", "");
  EXPECT_TRUE(std::ranges::any_of(early, [](const std::string& line) { return line.contains("first"); }))
      << "the worker of the round before";
}

TEST(Joins, ThreadsOfAThreadOfAThreadThatIsStartedAgainAndAgain) {
  const std::string before =
      "pthread_t h, k; void *second(void *arg) { pthread_create(&k, 0, worker, 0); return 0; }"
      "void *first(void *arg) { pthread_create(&h, 0, second, 0); pthread_join(h, 0); return 0; }";
  EXPECT_EQ(main_does("pthread_create(&t, 0, first, 0); pthread_join(t, 0);", before).warnings(), Lines{});
  EXPECT_EQ(main_does("for (int i = 0; i < 4; i++) { pthread_create(&t, 0, first, 0); pthread_join(t, 0); }", before)
                .warnings(),
            Lines{"x: write worker / write worker"});
}

/// That there are two is found when what the first one does was looked at already.
TEST(Joins, ThreadsOfAThreadThatTurnsOutToBeTwo) {
  const std::string before =
      "pthread_t h, v; void *first(void *arg) { pthread_create(&h, 0, worker, 0); pthread_join(h, 0); return 0; }"
      "void d(void) { pthread_create(&v, 0, first, 0); } void c(void) { d(); } void b(void) { c(); } void a1(void) { "
      "b(); }";
  EXPECT_EQ(main_does("pthread_create(&t, 0, first, 0); pthread_join(t, 0);", before).warnings(), Lines{});
  const Lines two = main_does("pthread_create(&t, 0, first, 0); a1();", before).warnings();
  EXPECT_EQ(std::ranges::count(two, "x: write worker / write worker"), 1) << "beside those of h";
}

TEST(Joins, OfHundredsOfHandlesSomeAreForgotten) {
  // A function that waits for more than it counts: its caller's thread is among those it forgot, or not.
  const auto waits_for = [](int first, int last) {
    std::string out;
    for (int i = first; i < last; ++i) out += "pthread_join(h" + std::to_string(i) + ", 0); ";
    return out;
  };
  std::string before;
  for (int i = 0; i < 300; ++i) before += "pthread_t h" + std::to_string(i) + "; ";
  const std::string start = "pthread_create(&h0, 0, worker, 0); pthread_create(&h299, 0, other, 0); wait_all(); x = 2;";
  const auto text = [&](const std::string& waits) { return before + "void wait_all(void) { " + waits + "}"; };
  const Lines few = main_does(start, text("pthread_join(h0, 0); pthread_join(h299, 0);")).warnings();
  EXPECT_EQ(few.size(), 1U) << "worker and other meet";
  const Lines many = main_does(start, text(waits_for(0, 300))).warnings();
  EXPECT_EQ(many.size(), 2U) << "what is forgotten is a warning more, never one less";
}

/// main starts a parent and waits for it; the parent starts a child that writes x.
Scanned families(const std::string& parent, const std::string& before = "", const std::string& text = "") {
  return Scanned(threads_h + "int x, pick; pthread_t c, p;\nvoid *child(void *arg) { x = 1; return 0; }\n" + text +
                 "\nvoid *parent(void *arg) { " + parent + " return 0; }\nint main(void) { " + before +
                 " pthread_create(&p, 0, parent, 0); pthread_join(p, 0); x = 2; return 0; }\n");
}

TEST(Joins, ChildrenThatTheirParentWaitsForAreGoneWithIt) {
  EXPECT_EQ(families("pthread_create(&c, 0, child, 0); pthread_join(c, 0);").warnings(), Lines{});
  EXPECT_EQ(
      families("pthread_create(&c, 0, middle, 0); pthread_join(c, 0);", "",
               "pthread_t d; void *middle(void *a) { pthread_create(&d, 0, child, 0); pthread_join(d, 0); return 0; }")
          .warnings(),
      Lines{});
}

TEST(Joins, ChildrenThatMayOutliveTheirParentAreNot) {
  EXPECT_EQ(families("pthread_create(&c, 0, child, 0);").warnings().size(), 1U);
  EXPECT_EQ(families("pthread_create(&c, 0, child, 0); if (pick) pthread_join(c, 0);").warnings().size(), 1U);
  EXPECT_EQ(families("pthread_create(&c, 0, child, 0); if (pick) return 0; pthread_join(c, 0);").warnings().size(), 1U);
  EXPECT_FALSE(
      families("pthread_create(&c, 0, child, 0); pthread_join(c, 0);", "pthread_t o; pthread_create(&o, 0, child, 0);")
          .warnings()
          .empty())
      << "main has started one as well";
  EXPECT_FALSE(families("pthread_create(&c, 0, child, 0); pthread_join(c, 0);",
                        "pthread_t o; pthread_create(&o, 0, other, 0);",
                        "pthread_t d; void *other(void *a) { pthread_create(&d, 0, child, 0); return 0; }")
                   .warnings()
                   .empty())
      << "somebody else starts one as well";
  EXPECT_FALSE(families("pthread_create(&c, 0, child, 0); pthread_join(c, 0);", "pthread_cancel(p);",
                        "int pthread_cancel(pthread_t);")
                   .warnings()
                   .empty())
      << "the parent may be ended before it has waited";
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::scan
