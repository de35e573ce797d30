// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pruning where the program itself runs: what a library answers, long jumps, tables of functions, ends of the program.
// As in PrunePrograms thread 1 runs first, and in that order there is no race.
#include <gtest/gtest.h>

#include <algorithm>

#include "frontend/scratch_source.h"
#include "pipeline/explore.h"

namespace heddle::explore {
namespace HEDDLE_TEST_FILE {

struct NativeCase {
  const char* name;
  bool is_racy;
  const char* first;   ///< body of thread 1
  const char* second;  ///< body of thread 2
  const char* globals = "";
  const char* begin = "";        ///< of main, before the threads
  const char* behind = "";       ///< of main, behind their creation
  std::uint64_t executions = 0;  ///< exactly so many with pruning; 0: no matter
};

constexpr const char* head = R"(
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define LOCK pthread_mutex_lock(&m)
#define UNLOCK pthread_mutex_unlock(&m)
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y, z;
)";

#define TELLS "LOCK; x++; UNLOCK; LOCK; y = 1; UNLOCK;"
#define LISTENS "LOCK; int k = y; UNLOCK; "

const NativeCase cases[] = {
    {"what a pipe holds", true, "char c; LOCK; read(ends[0], &c, 1); UNLOCK; x++;",
     "char c; LOCK; read(ends[0], &c, 1); UNLOCK; if (c == 'A') x++;", "int ends[2];",
     "pipe(ends); write(ends[1], \"AB\", 2);"},
    {"what a pipe holds, in a global", true, "char c; LOCK; read(ends[0], &c, 1); UNLOCK; x++;",
     "LOCK; read(ends[0], c, 1); UNLOCK; if (c[0] == 'A') x++;", "int ends[2]; char c[2];",
     "pipe(ends); write(ends[1], \"AB\", 2);"},
    {"what is told of before the call waits", true, "char mine; read(file, &mine, 1); x++;", "",
     "#include <fcntl.h>\nint file; char c[2];", "file = open(__FILE__, 0);",
     "read(file, c, 1); if (c[0] == '#') x++;"},
    {"an address twice in one step", true, "d[1]++; LOCK; y = 0; UNLOCK;",
     "int k = 0; LOCK; for (int i = 0; i < 2; i++) { d[k]++; k = y; } UNLOCK;", "int d[2];", "y = 1;"},
    {"a table with a function of a library", true, TELLS, LISTENS "table[k](1);",
     "int act(int n) { return x++; } int (*table[2])(int) = {act, abs};"},
    {"a table with a function of a library, no race", false, TELLS, LISTENS "table[k](1);",
     "int act(int n) { LOCK; x++; UNLOCK; return n; } int (*table[2])(int) = {act, abs};"},
    {"the next random number", true, "LOCK; rand(); UNLOCK; x++;", "LOCK; int k = rand(); UNLOCK; if (k == first) x++;",
     "int first;", "srand(1); first = rand(); srand(1);"},
    {"the environment", true, "LOCK; x++; UNLOCK; LOCK; setenv(\"LATE\", \"1\", 1); UNLOCK;",
     "LOCK; int k = getenv(\"LATE\") == 0; UNLOCK; if (k) x++;"},
    {"who comes last to a barrier", true, "if (pthread_barrier_wait(&b) == 0) x++;",
     "if (pthread_barrier_wait(&b) != 0) x++;", "pthread_barrier_t b;", "pthread_barrier_init(&b, 0, 2);"},
    {"a library that calls back", true, TELLS, LISTENS "qsort(d, k ? 1 : 3, sizeof *d, compare);",
     "int d[3] = {3, 1, 2}; int compare(const void *a, const void *b) { x++; return *(int *)a - *(int *)b; }"},
    {"a text that was copied", true, "LOCK; x++; UNLOCK; LOCK; strcpy(text, \"abcd\"); UNLOCK;",
     "char mine[8]; LOCK; strcpy(mine, text); UNLOCK; if (strlen(mine) == 3) x++;", "char text[8] = \"abc\";"},
    {"a long jump", true, TELLS, "jmp_buf back; " LISTENS "if (setjmp(back) == 0) { leave(back, k); x++; }",
     "static void leave(jmp_buf back, int k) { if (k) longjmp(back, 1); }"},
    {"a table of functions", true, TELLS, LISTENS "table[k]();",
     "static void good(void) { LOCK; x++; UNLOCK; } static void bad(void) { x++; } "
     "static void (*const table[])(void) = {bad, good};"},
    {"cases that are negative", true, "LOCK; x++; UNLOCK; LOCK; s = -2; UNLOCK;",
     "LOCK; signed char k = s; UNLOCK; switch (k) { case -1: x++; break; case -2: y++; break; case 5: z++; }",
     "signed char s = -1;"},
    {"cases that are large", true, "LOCK; x++; UNLOCK; LOCK; s = 1L << 40; UNLOCK;",
     "LOCK; long k = s; UNLOCK; switch (k) { case -3: x++; break; case 1L << 40: y++; break; default: z++; }",
     "long s = -3;"},
    {"the end of the program", true, "LOCK; y = 1; UNLOCK;", "x++;", "", "",
     "LOCK; int k = y; UNLOCK; if (!k) exit(0); x++;"},
    {"functions of one name", true, TELLS, LISTENS "if (!k) act();",
     "static inline __attribute__((always_inline)) void act(void) { if (z == 0) x++; else z++; }"},
    {"a function that calls itself", true, TELLS, LISTENS "if (!k) down(3);",
     "static void down(int n) { if (n > 0) down(n - 1); else x++; }"},
    {"functions that call each other, and a lock on the way", true, TELLS, LISTENS "if (!k) one(2);",
     "static void other(int n); static void one(int n) { LOCK; z++; UNLOCK; if (n > 0) other(n - 1); } "
     "static void other(int n) { if (n == 1) one(0); else x++; one(0); if (n == 1) x++; }"},
    {"a lock that is given away deep down", true, TELLS, LISTENS "if (!k) { LOCK; down(2); x++; LOCK; UNLOCK; }",
     "static void down(int n) { if (n > 0) down(n - 1); else UNLOCK; }"},
    {"a parameter that is not always the same lock", true, TELLS, LISTENS "if (!k) add(&other); else add(&m);",
     "pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER; "
     "static void add(pthread_mutex_t *l) { pthread_mutex_lock(l); x++; pthread_mutex_unlock(l); }"},
    {"a parameter that is another place of one variable", true, TELLS, LISTENS "if (!k) add(&all.second);",
     "struct { int first, second; } all; static void add(int *n) { n[-1]++; } ", "",
     "LOCK; int k = y; UNLOCK; if (k) add(&all.second);"},
    {"a local variable that a callee lets out", true, TELLS "LOCK; int *p = kept; UNLOCK; if (p) (*p)++;",
     "int mine = 0; " LISTENS "if (!k) keep(&mine); mine++; pthread_barrier_wait(&b);",
     "pthread_barrier_t b; int *kept; static void keep(int *p) { LOCK; kept = p; UNLOCK; }",
     "pthread_barrier_init(&b, 0, 2);", "pthread_barrier_wait(&b);"},
    {"a local variable that a callee returns", true, TELLS "LOCK; int *p = kept; UNLOCK; if (p) (*p)++;",
     "int mine = 0; " LISTENS
     "if (!k) { int *p = same(&mine); LOCK; kept = p; UNLOCK; } mine++; pthread_barrier_wait(&b);",
     "pthread_barrier_t b; int *kept; static int *same(int *p) { return p; }", "pthread_barrier_init(&b, 0, 2);",
     "pthread_barrier_wait(&b);"},
    {"a thread that never returns", true, TELLS, LISTENS "if (k) z++; if (!k) x++; pthread_exit(0);"},
    {"a channel that was not written to", true, "LOCK; y = 1; UNLOCK; x++;",
     LISTENS "char c = 'a'; if (k) write(ends[1], &c, 1);", "#include <fcntl.h>\nint ends[2];",
     "pipe(ends); fcntl(ends[0], F_SETFL, O_NONBLOCK);", "char c; if (read(ends[0], &c, 1) == 1) x++;"},
    // no race
    {"a function that calls itself, no race", false, TELLS, LISTENS "if (!k) down(3);",
     "static void down(int n) { LOCK; x++; UNLOCK; if (n > 0) down(n - 1); }", "", "", 1},
    {"a queue by its address", false, "put(&q, 1); put(&q, 2);",
     "int got; if (get(&q, &got) && got > 5) get(&q, &got);",
     "struct queue { pthread_mutex_t m; int n, last; } q = {PTHREAD_MUTEX_INITIALIZER}; "
     "static void put(struct queue *q, int i) { pthread_mutex_lock(&q->m); q->n++; q->last = i; "
     "pthread_mutex_unlock(&q->m); } "
     "static int get(struct queue *q, int *to) { int n; pthread_mutex_lock(&q->m); n = q->n; "
     "if (n > 0) *to = q->last, q->n--; pthread_mutex_unlock(&q->m); return n > 0; }",
     "", "", 1},
    {"a thread that never returns, no race", false, TELLS,
     LISTENS "if (k > 5) z++; LOCK; x++; UNLOCK; if (k > 6) exit(1); pthread_exit(0);", "", "", "", 1},
    {"a function with a list", false, TELLS, LISTENS "if (k > 5) note(\"%d\", k); LOCK; x++; UNLOCK;",
     "#include <stdarg.h>\nstatic void note(const char *form, ...) "
     "{ va_list list; va_start(list, form); char to[9]; vsnprintf(to, 9, form, list); va_end(list); }",
     "", "", 1},
    {"texts and the heap", false, "LOCK; x++; UNLOCK;",
     "char *c = malloc(8); c[1] = 0; LOCK; x++; c[0] = x; UNLOCK; if (strlen(c) > 5) z++; free(c);", "", "", "", 1},
    {"an inlined function that returns", false, "LOCK; if (look()) x++; UNLOCK;", "LOCK; if (look()) x++; UNLOCK;",
     "static inline __attribute__((always_inline)) int look(void) { if (x > 3) return 0; return 1; }", "", "", 1},
};

std::string source_of(const NativeCase& one) {
  return std::string(head) + one.globals + "\nvoid *t1(void *given) { " + one.first +
         " return 0; }\nvoid *t2(void *given) { " + one.second + " return 0; }\nint main(void) { pthread_t h1, h2; " +
         one.begin + " pthread_create(&h1, 0, t1, 0); pthread_create(&h2, 0, t2, 0); " + one.behind +
         " pthread_join(h1, 0); pthread_join(h2, 0); return 0; }\n";
}

TEST(NativePruning, FindsARaceExactlyWhenThereIsOne) {
  for (const NativeCase& one : cases) {
    SCOPED_TRACE(one.name);
    const frontend::ScratchFolder folder;
    pipeline::Input input;
    input.sources.push_back({folder.write("case.c", source_of(one)), {"-w"}});
    const auto answers = pipeline::search_natively(
        input, {.searches = {{{"SEARCH", "unpruned"}}, {{"SEARCH", "pruned"}}}, .arguments = {}});
    ASSERT_TRUE(answers) << answers.error().message;
    for (const DriverAnswer& answer : *answers) {
      const bool is_pruned = &answer == &answers->back();
      const auto is_race = [](const auto& fact) { return fact.first == "racing"; };
      EXPECT_EQ(std::ranges::any_of(answer.facts, is_race), one.is_racy) << (is_pruned ? "pruned" : "unpruned");
      if (is_pruned && one.executions != 0) EXPECT_EQ(answer.executions, one.executions);
    }
  }
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::explore
