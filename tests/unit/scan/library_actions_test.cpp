// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What library functions do, primitive by primitive: emptied, its case in library_actions.cpp, library_memory.cpp or
// late_calls.cpp fails here. What is only assumed is counted in the report.
#include <gtest/gtest.h>

#include <algorithm>

#include "api/library_models.h"
#include "api/models/format_arguments.h"
#include "scan/calls/assumed_calls.h"
#include "scan/scanned.h"

namespace heddle::scan {
namespace HEDDLE_TEST_FILE {

constexpr std::string_view own_models = R"(
[[function]]
name = "lib_lock"
effects = [{ acquire = 0 }]
[[function]]
name = "lib_unlock"
effects = [{ release = 0 }]
[[function]]
name = "lib_lock_all"
effects = [{ acquire_named = "all" }]
[[function]]
name = "lib_try_all"
effects = [{ acquire_named = "all", blocking = false, success = "nonzero" }]
[[function]]
name = "lib_unlock_all"
effects = [{ release_named = "all" }]
[[function]]
name = "lib_begin"
effects = ["atomic_begin"]
[[function]]
name = "lib_end"
effects = ["atomic_end"]
[[function]]
name = "lib_kind"
effects = [{ set_recursive = 0, value = 1 }]
[[function]]
name = "lib_new_lock"
effects = [{ lock_init = 0 }]
[[function]]
name = "lib_try_join"
effects = [{ join = 0, result = 1, blocking = false, success = "zero" }]
[[function]]
name = "lib_once"
effects = [{ once = 0, entry = 1 }]
[[function]]
name = "lib_once_begin"
effects = [{ once_begin = 0, success = "nonzero" }]
[[function]]
name = "lib_once_end"
effects = [{ once_end = 0 }]
[[function]]
name = "lib_key"
effects = [{ tls_create = 0, destructor = 1, success = "zero" }]
[[function]]
name = "lib_make"
effects = [{ allocate = "arg 1", into = 0 }]
[[function]]
name = "lib_write"
effects = [{ write = 0, length = 8 }]
[[function]]
name = "lib_scan"
effects = [{ write_variadic = 1 }]
[[function]]
name = "lib_print"
effects = [{ read_variadic = 1, format = 0 }]
[[function]]
name = "lib_print_list"
effects = [{ read_variadic = 1, format = 0, indirect = true }]
[[function]]
name = "lib_environment"
effects = [{ hidden_write = "environment" }]
[[function]]
name = "lib_own"
effects = [{ returns_hidden = "own" }]
[[function]]
name = "lib_each"
effects = [{ invoke = 0, parameter = 1 }]
[[function]]
name = "lib_run"
effects = [{ invoke = 1, parameter = 2 }]
[[function]]
name = "lib_jump"
effects = [{ unsupported = "longjmp" }]
)";

const std::string declarations = threads_h + R"(
void lib_lock(long *); void lib_unlock(long *); void lib_lock_all(void); int lib_try_all(void); void lib_unlock_all(void);
void lib_begin(void); void lib_end(void); void lib_kind(int *, int); void lib_new_lock(long *);
void lib_handler(void (*)(int *), int *); int lib_try_join(pthread_t, void *); void lib_once(long *, void (*)(void)); int lib_once_begin(long *);
void lib_once_end(long *); int lib_key(int *, void (*)(int *)); void lib_set(int, int *); int *lib_get(int); void lib_make(int **, long);
int *lib_grow(int *, long); void lib_read(int *); void lib_write(void *); void lib_scan(const char *, ...); void lib_print(const char *, ...);
void lib_print_list(const char *, void *); void lib_put(int **, int *); void lib_environment(void); int *lib_own(void); void lib_store(int **, int *);
void lib_copy(int **, int **); void lib_end_of(int **, int *); int *lib_same(int *); int *lib_within(int *); void lib_each(void (*)(int *), int *);
void lib_run(int, void (*)(int), int); void lib_mask(void); void lib_jump(void); int atexit(void (*)(void)); void exit(int);
int x, y; int *p, *q; long lock; int key; char name[8];
)";

class ScanActions : public testing::Test {
 protected:
  /// Scans two threads that do `body`, started by a main that does `main` before and `after` behind them.
  RaceReport scanned(const std::string& body, const std::string& before = "", const std::string& main = "",
                     const std::string& after = "", const Assumptions& assumptions = {}) {
    const api::ApiModels models = api::models_with(own_models);
    const Program program = frontend::read_text(
        declarations + before + "\nvoid *worker(void *arg) { " + body +
        " return 0; }\nint main(void) { pthread_t t, u; " + main +
        " pthread_create(&t, 0, worker, 0); pthread_create(&u, 0, worker, 0); " + after + " return 0; }\n");
    ScanOptions options;
    options.assumptions = assumptions;
    return scan(program, models, options).report;
  }
  /// How many warnings speak of a variable.
  static std::size_t on(const RaceReport& report, const std::string& variable) {
    return static_cast<std::size_t>(
        std::ranges::count_if(report.races, [&](const ReportRace& race) { return race.variable == variable; }));
  }
  static bool lists(const RaceReport& report, const std::string& assumption) {
    return std::ranges::find(report.assumptions, assumption) != report.assumptions.end();
  }
};

TEST_F(ScanActions, TakeAndGiveLock) {
  EXPECT_GT(on(scanned("x++;"), "x"), 0U);
  EXPECT_EQ(on(scanned("lib_lock(&lock); x++; lib_unlock(&lock);"), "x"), 0U);
  EXPECT_GT(on(scanned("lib_lock(&lock); lib_unlock(&lock); x++;"), "x"), 0U);
  EXPECT_EQ(on(scanned("lib_lock_all(); x++; lib_unlock_all();"), "x"), 0U);
  EXPECT_GT(on(scanned("lib_lock_all(); lib_unlock_all(); x++;"), "x"), 0U);
  EXPECT_EQ(on(scanned("lib_begin(); x++; lib_end();"), "x"), 0U);
  EXPECT_GT(on(scanned("lib_begin(); lib_end(); x++;"), "x"), 0U);
}

TEST_F(ScanActions, LocksOfANameMayNotBeTaken) {
  EXPECT_GT(on(scanned("lib_try_all(); x++; lib_unlock_all();"), "x"), 0U);
  EXPECT_EQ(on(scanned("if (lib_try_all()) { x++; lib_unlock_all(); }"), "x"), 0U);
}

TEST_F(ScanActions, SetUpObject) {
  EXPECT_GT(on(scanned("lib_kind(&x, 1);"), "x"), 0U);
  EXPECT_TRUE(lists(scanned("lib_new_lock(&lock); lib_new_lock(&lock);"), "lock-objects (2 calls)"));
}

TEST_F(ScanActions, StartThread) { EXPECT_GT(on(scanned("x++;"), "x"), 0U); }

TEST_F(ScanActions, RunLaterGivesItsArgumentAway) {
  const std::string handler = "void handle(int *a) { (void)a; }";
  EXPECT_EQ(scanned("int *a = malloc(4); *a = 1; lib_handler(handle, 0);", handler).races.size(), 0U);
  EXPECT_GT(scanned("int *a = malloc(4); lib_handler(handle, a); *a = 1;", handler).races.size(), 0U);
}

TEST_F(ScanActions, FunctionsThatRunWhenTheProgramEnds) {
  const std::string flush = "void flush(void) { x = 1; }";
  EXPECT_GT(on(scanned("x++;", flush, "atexit(flush); lib_lock(&lock);"), "x"), 1U);
  const std::string join = "pthread_join(t, 0); pthread_join(u, 0);";
  const std::string locked = "lib_lock(&lock); x++; lib_unlock(&lock);";
  EXPECT_GT(on(scanned(locked, flush, "atexit(flush);"), "x"), 0U);
  EXPECT_EQ(on(scanned(locked, flush, "atexit(flush);", join), "x"), 0U) << "no thread is left at the end";
  EXPECT_EQ(on(scanned(locked, flush, "", ""), "x"), 0U) << "nobody handed it over";
  EXPECT_GT(on(scanned(locked, flush, "atexit(flush);", "exit(0); " + join), "x"), 0U);
  EXPECT_GT(on(scanned(locked + " exit(1);", flush, "atexit(flush);", join), "x"), 0U) << "a thread ends the program";
  EXPECT_GT(on(scanned(locked, "__attribute__((destructor)) " + flush), "x"), 0U);
}

TEST_F(ScanActions, FunctionsThatRunWhenAThreadEnds) {
  const std::string drop = "void drop(int *a) { x = *a; }";
  EXPECT_GT(on(scanned("lib_set(key, &y);", drop, "lib_key(&key, drop);"), "x"), 0U);
  EXPECT_EQ(on(scanned("lib_set(key, &y);", drop, ""), "x"), 0U);
}

TEST_F(ScanActions, LeaveThread) {
  const std::string locked = "lib_lock(&lock); x++; lib_unlock(&lock);";
  EXPECT_GT(on(scanned(locked, "", "", "x++;"), "x"), 0U);
  EXPECT_EQ(on(scanned(locked, "", "", "pthread_join(t, 0); pthread_join(u, 0); x++;"), "x"), 0U);
  EXPECT_GT(on(scanned(locked, "", "", "lib_try_join(t, 0); lib_try_join(u, 0); x++;"), "x"), 0U);
  EXPECT_GT(on(scanned("lib_try_join(1, &p);"), "p"), 0U) << "the result is written";
}

TEST_F(ScanActions, RunOnce) {
  const std::string body = "void first(void) { x = 1; }";
  EXPECT_EQ(on(scanned("lib_once(&lock, first);", body), "x"), 0U);
  EXPECT_GT(on(scanned("lib_once(&lock, first); x = 2;", body), "x"), 0U);
  EXPECT_GT(on(scanned("x = 2;", body, "", "lib_once(&lock, first);"), "x"), 1U) << "the body is entered";
  EXPECT_EQ(on(scanned("if (lib_once_begin(&lock)) { x = 1; lib_once_end(&lock); }"), "x"), 0U);
  EXPECT_GT(on(scanned("if (lib_once_begin(&lock)) { lib_once_end(&lock); x = 1; }"), "x"), 0U);
  EXPECT_GT(on(scanned("if (!lib_once_begin(&lock)) x = 1;"), "x"), 0U);
}

TEST_F(ScanActions, UseSemaphore) {
  const std::string before =
      "typedef struct { long w[4]; } sem_t; int sem_init(sem_t *, int, unsigned); int sem_wait(sem_t *); int "
      "sem_post(sem_t "
      "*); sem_t s;";
  EXPECT_EQ(on(scanned("sem_wait(&s); x++; sem_post(&s);", before, "sem_init(&s, 0, 1);"), "x"), 0U);
  EXPECT_GT(on(scanned("sem_wait(&s); x++; sem_post(&s);", before, "sem_init(&s, 0, 2);"), "x"), 0U);
}

TEST_F(ScanActions, UseThreadValue) {
  EXPECT_GT(on(scanned("lib_key(&key, 0);"), "key"), 0U);
  const std::string body = "lib_set(key, &x); *lib_get(key) = 1;";
  EXPECT_TRUE(lists(scanned(body), "thread-values (2 calls)"));
  EXPECT_EQ(scanned(body).races.size(), 0U);
  Assumptions without;
  ASSERT_TRUE(without.drop("thread-values"));
  EXPECT_GT(scanned(body, "", "", "", without).races.size(), 0U);
}

TEST_F(ScanActions, MakeMemory) {
  EXPECT_GT(on(scanned("lib_make(&p, 4);"), "p"), 0U);
  EXPECT_EQ(scanned("int *mine; lib_make(&mine, 4); *mine = 1;").races.size(), 0U) << "what is new is the thread's own";
  EXPECT_EQ(scanned("int *mine = lib_grow(0, 4); *mine = 1;").races.size(), 0U);
  EXPECT_GT(scanned("lib_grow(&x, 4);").races.size(), 0U) << "the old memory is freed";
}

TEST_F(ScanActions, TouchObjects) {
  EXPECT_GT(on(scanned("lib_read(&x);", "", "", "x = 1;"), "x"), 0U);
  EXPECT_GT(on(scanned("lib_write(&x);"), "x"), 0U);
  EXPECT_GT(scanned("free(&x);").races.size(), 0U);
}

TEST_F(ScanActions, WhatALibraryWritesIsNotKnownAnyMore) {
  // Null leads nowhere; what the call left there may be anything.
  EXPECT_GT(scanned("int *a = 0; lib_write(&a); *a = 1;").races.size(), 0U);
  EXPECT_GT(scanned("int *a = 0; lib_scan(\"\", &a); *a = 1;").races.size(), 0U);
}

TEST_F(ScanActions, TouchVariadic) {
  EXPECT_GT(on(scanned("lib_scan(\"%d %d\", &x, &y);"), "y"), 0U);
  EXPECT_GT(on(scanned("lib_print(\"%d %-*s\", 1, 2, name);", "", "", "lib_write(name);"), "name"), 0U);
  EXPECT_EQ(on(scanned("lib_print(\"%p\", name);", "", "", "lib_write(name);"), "name"), 0U);
  EXPECT_TRUE(lists(scanned("lib_print_list(\"%s\", &p);"), "variadic-lists (1 call)"));
}

TEST_F(ScanActions, TouchReachable) {
  EXPECT_GT(on(scanned("lib_put(&p, &x);"), "p"), 0U);
  EXPECT_TRUE(lists(scanned("lib_put(&p, &x);"), "library-reach (1 call)"));
  // What is put into a container that others know, they know.
  EXPECT_EQ(scanned("int *a = malloc(4); *a = 1;").races.size(), 0U);
  EXPECT_GT(scanned("int *a = malloc(4); lib_lock(&lock); lib_put(&p, a); lib_unlock(&lock); *a = 1;").races.size(),
            0U);
}

TEST_F(ScanActions, TouchHidden) {
  EXPECT_GT(scanned("lib_environment();").races.size(), 0U);
  EXPECT_GT(scanned("*lib_own() = 1;").races.size(), 0U);
}

TEST_F(ScanActions, TouchAtomicPublishes) {
  EXPECT_GT(scanned("int *a = malloc(4); lib_store(&p, a); *a = 1;").races.size(), 0U);
  EXPECT_GT(on(scanned("lib_store(&p, &x);", "", "", "p = 0;"), "p"), 0U);
}

TEST_F(ScanActions, MovePointers) {
  EXPECT_GT(scanned("int *a = malloc(4); int *b = a; lib_copy(&p, &b); *a = 1;").races.size(), 0U);
  EXPECT_GT(on(scanned("lib_end_of(&p, &x);"), "p"), 0U);
  EXPECT_GT(scanned("int *e = 0; lib_end_of(&e, &x); *e = 1;").races.size(), 0U);
}

TEST_F(ScanActions, ReturnValue) {
  EXPECT_GT(scanned("*lib_same(&x) = 1;").races.size(), 0U);
  EXPECT_GT(scanned("*lib_within(&x) = 1;").races.size(), 0U);
  EXPECT_EQ(scanned("int mine; *lib_same(&mine) = 1; *lib_within(&mine) = 1;").races.size(), 0U);
}

TEST_F(ScanActions, CallBack) {
  EXPECT_GT(on(scanned("lib_each(each, &x);", "void each(int *a) { *a = 1; y = 1; }"), "y"), 0U);
}

TEST_F(ScanActions, CallBackIsGivenItsOwnArguments) {
  const std::string each = "void each(int need) { if (need) lib_lock(&lock); x = 1; if (need) lib_unlock(&lock); }";
  EXPECT_EQ(on(scanned("lib_run(0, each, 1);", each), "x"), 0U);
  EXPECT_GT(on(scanned("lib_run(1, each, 0);", each), "x"), 0U);
}

TEST_F(ScanActions, MasksAndUnsupportedCallsAreCounted) {
  const RaceReport report = scanned("lib_mask(); lib_jump(); lib_jump();");
  EXPECT_TRUE(lists(report, "processor-masks (1 call)"));
  EXPECT_TRUE(lists(report, "unsupported-calls (2 calls)"));
}

TEST(AssumedCalls, WhatNoCallUsesIsNotCounted) {
  const std::vector<std::string> all = listed({}, {});
  EXPECT_EQ(all, Assumptions{}.names());
  Assumptions without;
  without.drop("library-reach");
  const std::vector<std::string> some = listed(without, {{Assumed::LibraryReach, 3}, {Assumed::UnfollowedCalls, 1}});
  EXPECT_EQ(some.size(), all.size());
  EXPECT_EQ(some.back(), "unfollowed-calls (1 call)");
}

TEST(FormatArguments, FollowTheFormat) {
  using enum api::FormatUse;
  const Program program = frontend::read_text(
      "int printf(const char *, ...); int main(void) { printf(\"%% %5.2f %s %*d %lu%S %p %m %s%n\", 1.0, \"\"); }");
  const Function& main = program.functions[program.find_function("main")];
  for (const Instruction& i : main.instructions) {
    if (!i.is_call()) continue;
    const auto uses = api::uses_by_format(program, main.arguments_of(i)[0]);
    ASSERT_TRUE(uses.has_value());
    EXPECT_EQ(*uses, (std::vector{Value, Read, Value, Value, Value, Read, Value, Read, Written}));
  }
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::scan
