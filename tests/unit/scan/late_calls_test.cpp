// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What runs at an end: every kind of end runs what was handed over for it, beside the threads that run there.
#include <gtest/gtest.h>

#include "scan/scanned.h"

namespace heddle::scan {
namespace HEDDLE_TEST_FILE {

const std::string late_h = threads_h + R"(
#define END __attribute__((noreturn))
int atexit(void (*)(void)); void exit(int) END; void pthread_exit(void *) END; int pthread_key_create(unsigned *, void (*)(void *));
int __cxa_thread_atexit(void (*)(void *), void *, void *); int __cxa_atexit(void (*)(void *), void *, void *);
void (*_ZSt13set_terminatePFvvE(void (*)(void)))(void); void _ZSt9terminatev(void) END;
void *__cxa_allocate_exception(unsigned long); void __cxa_throw(void *, void *, void (*)(void *)) END;
int x; unsigned key; pthread_t t, u; pthread_mutex_t m;
void flush(void) { x = 2; } void drop(void *p) { x = 2; } void clear(void *p) { *(int *)p = 2; }
void *worker(void *a) { take(&m); x = 1; give(&m); return 0; }
)";
const std::string start = "pthread_create(&t, 0, worker, 0); ", join = "pthread_join(t, 0); ";

std::size_t races(const std::string& main, const std::string& more = "") {
  return Scanned(late_h + more + "int main(void) { " + main + " return 0; }").warnings().size();
}

TEST(LateCalls, AtTheEndOfTheProgram) {
  EXPECT_EQ(races(start), 0U);
  EXPECT_EQ(races("atexit(flush); " + start), 1U);
  EXPECT_EQ(races("atexit(flush); " + start + join), 0U);
  EXPECT_EQ(races("atexit(flush); " + start + "exit(0);"), 1U);
  EXPECT_EQ(races("atexit(flush); " + start + join + "exit(0);"), 0U);
  EXPECT_EQ(races("__cxa_atexit(clear, &x, 0); " + start), 1U) << "what it was registered with";
}

TEST(LateCalls, AtTheEndOfAThread) {
  const std::string two = "pthread_create(&t, 0, idle, 0); pthread_create(&u, 0, idle, 0); ";
  const std::string idle = "void *idle(void *a) { return 0; } ";
  EXPECT_EQ(races(two, idle), 0U);
  EXPECT_GT(races("pthread_key_create(&key, drop); " + two, idle), 0U);
  EXPECT_GT(races(two, "void *idle(void *a) { __cxa_thread_atexit(drop, 0, 0); return 0; } "), 0U);
  EXPECT_EQ(races("pthread_key_create(&key, drop); pthread_create(&t, 0, idle, 0);" + join, idle), 0U);
}

TEST(LateCalls, OfMainThatIsLeftByACall) {
  const std::string made = "pthread_key_create(&key, drop); " + start;
  for (const std::string end : {"pthread_exit(0);", "exit(0);"}) {
    EXPECT_GT(races(made + end), 0U) << end;
    EXPECT_EQ(races(made + join + end), 0U) << end;
  }
}

TEST(LateCalls, WhereNobodyCatches) {
  const std::string set = "_ZSt13set_terminatePFvvE(flush); " + start;
  const std::string thrown = "__cxa_throw(__cxa_allocate_exception(4), 0, 0);";
  EXPECT_EQ(races(set), 0U) << "nobody ends it";
  EXPECT_EQ(races(set + "_ZSt9terminatev();"), 1U);
  EXPECT_EQ(races(set + thrown), 1U);
  EXPECT_EQ(races(start + thrown), 0U);
}

TEST(LateCalls, WhenAnExceptionIsDestroyed) {
  EXPECT_GT(races(start + "__cxa_throw(__cxa_allocate_exception(4), 0, drop);"), 0U);
  EXPECT_EQ(races(start + join + "__cxa_throw(__cxa_allocate_exception(4), 0, drop);"), 0U);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::scan
