// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A proof by exhaustion has preconditions. Each program here breaks one of them (or looks as if it did), and says
// whether it may be proved and what the refusal has to name.
#include <gtest/gtest.h>

#include "explore/c_prelude.h"
#include "explore/interpreted/interpreted_program.h"
#include "explore/interpreted/open_ends.h"
#include "explore/loaded_program.h"
#include "judge/explore/searches.h"

namespace heddle::explore {
namespace HEDDLE_TEST_FILE {

struct Case {
  const char* name;
  const char* first;   ///< body of thread 1
  const char* second;  ///< body of thread 2
  const char* why;     ///< what the refusal names; null: there is a proof; "": any reason
  const char* begin = "";
  const char* end = "pthread_join(h1, 0); pthread_join(h2, 0);";
};

constexpr const char* several = "several atomic objects, and accesses to them that are weaker";

const Case cases[] = {
    // orders
    {"ordered message", "x = 1; a = 1;", "if (a) x = 2;", nullptr},
    {"relaxed message", "x = 1; __atomic_store_n(&i, 1, 0);", "if (__atomic_load_n(&i, 0)) x = 2;", ""},
    {"released message", "x = 1; __atomic_store_n(&i, 1, 3);", "if (__atomic_load_n(&i, 2)) x = 2;", nullptr},
    {"consumed message", "x = 1; __atomic_store_n(&i, 1, 3);", "if (__atomic_load_n(&i, 1)) x = 2;", ""},
    {"fences", "x = 1; __atomic_thread_fence(5); a = 1;", "if (a) x = 2;", nullptr},
    {"message by fences", "x = 1; __atomic_thread_fence(3); __atomic_store_n(&i, 1, 0);",
     "if (__atomic_load_n(&i, 0)) { __atomic_thread_fence(2); x = 2; }", nullptr},
    {"store buffering", "__atomic_store_n(&i, 1, 0); if (!__atomic_load_n(&z, 0)) x = 1;",
     "__atomic_store_n(&z, 1, 0); if (!__atomic_load_n(&i, 0)) x = 2;", several},
    {"store buffering half strong", "__atomic_store_n(&i, 1, 5); if (!__atomic_load_n(&z, 5)) x = 1;",
     "__atomic_store_n(&z, 1, 3); if (!__atomic_load_n(&i, 2)) x = 2;", several},
    {"release sequence of one thread", "x = 1; __atomic_store_n(&i, 1, 3); __atomic_store_n(&i, 2, 0);",
     "if (__atomic_load_n(&i, 2) == 2) x = 2;", "may lack an order"},
    {"weak exchange", "int e = 0; if (__atomic_compare_exchange_n(&i, &e, 1, 1, 5, 5)) x = 1;", "y = 1;",
     "fail without a reason"},
    {"weak failure", "int e = 0; if (__atomic_compare_exchange_n(&i, &e, 1, 0, 5, 0)) x = 1;", "y = 1;", nullptr},
    {"strong exchange", "int e = 0; if (__atomic_compare_exchange_n(&i, &e, 1, 0, 5, 5)) x = 1;",
     "int e = 0; if (__atomic_compare_exchange_n(&i, &e, 1, 0, 5, 5)) x = 1;", nullptr},
    {"volatile is plain", "x = 1; v = 1;", "if (v) x = 2;", ""},
    // sections
    {"sections", "ATOMIC(x++);", "ATOMIC(x++);", nullptr},
    {"atomic beside a section", "ATOMIC((*(int *)&a)++);", "a++;", "inside an atomic section"},
    {"atomic read beside a section", "ATOMIC((*(int *)&a)++);", "y = a;", "inside an atomic section"},
    {"atomic after a section", "ATOMIC((*(int *)&a)++); LOCK(m); y = 1; UNLOCK(m);",
     "LOCK(m); int f = y; UNLOCK(m); if (f) a++;", nullptr},
    {"section that fails behind a read", "x = 1; ATOMIC(y = 1);", "ATOMIC(z = x; __VERIFIER_assume(y == 1));", ""},
    {"section that fails by abort", "x = 1; ATOMIC(y = 1);", "ATOMIC(z = x; if (y != 1) abort());", ""},
    {"section that fails before its read", "x = 1; ATOMIC(y = 1);", "ATOMIC(__VERIFIER_assume(y == 1); z = x);",
     nullptr},
    {"section that ends the program", "ATOMIC(x = 1; __VERIFIER_assert(0));", "x = 2;", ""},
    {"lock inside a section", "ATOMIC(LOCK(m); x++; UNLOCK(m));", "LOCK(m); x++; ATOMIC(y++); UNLOCK(m);", "section"},
    // locks
    {"read after a failed try", "x = 1; LOCK(m);", "if (pthread_mutex_trylock(&m)) x = 2;", ""},
    {"read after an empty semaphore", "if (!sem_trywait(&s)) x = 1;", "if (sem_trywait(&s)) x = 2;", "",
     "sem_init(&s, 0, 1);"},
    {"not the owner's unlock", "LOCK(m); x++; UNLOCK(m);", "UNLOCK(m);", "unlock of a lock"},
    {"lock taken twice", "LOCK(m); LOCK(m); x = 1;", "x = 2;", "it holds itself"},
    {"write, then read lock", "pthread_rwlock_wrlock(&w); pthread_rwlock_rdlock(&w); x = 1;", "x = 2;", ""},
    {"deadlock", "LOCK(m); LOCK(n); x++; UNLOCK(n); UNLOCK(m);", "LOCK(n); LOCK(m); x++; UNLOCK(m); UNLOCK(n);",
     nullptr},
    {"lock made anew", "pthread_mutex_init(&m, 0); LOCK(m); x++; UNLOCK(m);", "LOCK(m); x++; UNLOCK(m);", ""},
    {"lock made anew in order", "pthread_mutex_init(&n, 0); LOCK(m); y = 1; UNLOCK(m);",
     "LOCK(m); if (y) LOCK(n); UNLOCK(m);", nullptr},
    {"semaphore made while it is waited for", "sem_wait(&s);", "y = 1;", "", "",
     "sem_init(&s, 0, 0); sem_post(&s); pthread_join(h1, 0); pthread_join(h2, 0);"},
    {"lock destroyed while it is held", "LOCK(m); pthread_mutex_destroy(&m);", "y = 1;", "held is destroyed"},
    {"condition destroyed while it is waited for", "LOCK(m); if (y) pthread_cond_destroy(&c); UNLOCK(m);",
     "LOCK(m); y = 1; pthread_cond_wait(&c, &m); UNLOCK(m);", "waits for is initialised or destroyed"},
    {"condition destroyed behind its signal",
     "LOCK(m); if (y) { pthread_cond_broadcast(&c); pthread_cond_destroy(&c); } UNLOCK(m);",
     "LOCK(m); y = 1; pthread_cond_wait(&c, &m); UNLOCK(m);", nullptr},
    {"lock made before", "LOCK(m); x++; UNLOCK(m);", "LOCK(m); x++; UNLOCK(m);", nullptr, "pthread_mutex_init(&m, 0);"},
    {"lock reset by a store", "LOCK(m); x++; UNLOCK(m);", "x++;", "plain memory", "LOCK(m); m = (pthread_mutex_t){0};"},
    {"lock read as memory", "LOCK(m); x++; UNLOCK(m);", "if (*(int *)&m == 0) x++;", ""},
    {"lock in freed memory",
     "pthread_mutex_t *p = malloc(40); pthread_mutex_lock(p); pthread_mutex_unlock(p); free(p);", "y = 1;", nullptr},
    // conditions
    {"wait without a loop", "x = 1; LOCK(m); y = 1; pthread_cond_signal(&c); UNLOCK(m);",
     "LOCK(m); if (!y) pthread_cond_wait(&c, &m); UNLOCK(m); x = 2;", ""},
    {"wait for a time", "LOCK(m); y = 1; UNLOCK(m);", "LOCK(m); pthread_cond_timedwait(&c, &m, 0); y = 2; UNLOCK(m);",
     "pthread_cond_timedwait"},
    {"barrier", "x = 1; pthread_barrier_wait(&r);", "pthread_barrier_wait(&r); x = 2;", nullptr,
     "pthread_barrier_init(&r, 0, 2);"},
    {"last at the barrier", "if (pthread_barrier_wait(&r)) y = 1;", "pthread_barrier_wait(&r);", "result of a barrier",
     "pthread_barrier_init(&r, 0, 2);"},
    // the world
    {"input", "if (__VERIFIER_nondet_int()) x = 1;", "y = 1;", "input"},
    {"chance", "if (rand() % 2) x = 1;", "y = 1;", "rand"},
    {"time", "if (time(0) == 1) x = 1;", "y = 1;", "time"},
    {"environment", "if (getenv(\"A\")) x = 1;", "y = 1;", "getenv"},
    {"value of a semaphore", "int k; sem_getvalue(&s, &k); if (k) x = 1;", "sem_post(&s);", "sem_getvalue"},
    {"address as a number", "int l; if ((unsigned long)&l % 64) x = 1;", "y = 1;", "address"},
    {"number in a pointer", "long n = (long)(void *)7; if (n % 2 == 0) x = 1;", "y = 1;", nullptr},
    {"address kept as a number", "int l; unsigned long k = (unsigned long)&l; *(int *)k = 1;", "y = 1;", nullptr},
    {"distance in an array", "int l[4]; int *p = l + 3; if (p - l == 2) x = 1;", "y = 1;", nullptr},
    {"order in an array", "int l[4]; int *p = l + 3; if (p < l) x = 1;", "y = 1;", nullptr},
    {"order of two objects", "int k, l; int *p = &k, *q = &l; if (p < q) x = 1;", "y = 1;", "order"},
    {"two objects", "int k, l; int *p = &k, *q = &l; if (p == q) x = 1;", "y = 1;", nullptr},
    {"end and beginning", "int k[2], l[2]; int *p = k + 2, *q = l; if (p == q) x = 1;", "y = 1;", "at the end"},
    {"memory that is gone", "int *p = malloc(4); free(p); int *q = malloc(4); if (p == q) x = 1;", "y = 1;", "gone"},
    {"null after free", "int *p = malloc(4); free(p); if (!p) x = 1;", "y = 1;", nullptr},
    {"bytes of an address", "int l; union { int *p; char c[8]; } u; u.p = &l; if (u.c[1] == 3) x = 1;", "y = 1;",
     "address"},
    {"part of an address", "int l, *p = &l; int k; __builtin_memcpy(&k, &p, 4); if (k == 3) x = 1;", "y = 1;",
     "address"},
    {"pointer copied whole", "int l, *p = &l, *q; __builtin_memcpy(&q, &p, sizeof p); if (p != q) x = 1;", "y = 1;",
     nullptr},
    {"order of functions", "if ((void *)get < (void *)set) x = 1;", "y = 1;", "order"},
    {"order of handles", "y = 1;", "z = 1;", "address", "", "if (h1 < h2) x = 1;"},
    {"sign of a comparison", "char k[2] = \"c\"; if (__builtin_memcmp(\"a\", k, 1) > 0) x = 1;", "y = 1;", nullptr},
    {"size of a comparison", "char k[2] = \"c\"; if (__builtin_memcmp(\"a\", k, 1) == 2) x = 1;", "y = 1;", "sign"},
    {"bytes of a sum", "volatile float d = 0.1f; float e = d + 1; if (*(int *)&e == 3) x = 1;", "y = 1;", "rounding"},
    {"bytes of a constant", "volatile float d = 0.1f; if (*(volatile int *)&d == 3) x = 1;", "y = 1;", nullptr},
    {"rounding", "double d = 0.1; for (int i = 0; i < 9; i++) d += 0.1; if (d == 1.0) x = 1;", "y = 1;", "rounding"},
    {"exit handler", "y = 1;", "x = 1;", "atexit", "atexit((void (*)(void))time);"},
    {"output", "LOCK(m); printf(\"%d\\n\", x++); UNLOCK(m);", "LOCK(m); printf(\"%d\\n\", x++); UNLOCK(m);", nullptr},
    {"undecided branch", "int *p = malloc(4); if (*p) x = 1;", "y = 1;", "undefined behaviour"},
    {"defined elsewhere", "extern int far; if (far) x = 1;", "y = 1;", "far"},
    {"endless", "while (1) { LOCK(m); y++; UNLOCK(m); }", "x = 1;", "cut"},
    // spinning
    {"spin on an atomic", "x = 1; a = 1;", "while (!a) ; x = 2;", nullptr},
    {"spin on the wrong atomic", "x = 1; a = 1; x = 3;", "while (!a) ; x = 2;", ""},
    {"race inside the round", "x = 1; a = 1;", "while (!a) y = x;", ""},
    {"spin lock", "while (__atomic_exchange_n(&i, 1, 5)) ; x++; __atomic_store_n(&i, 0, 5);",
     "while (__atomic_exchange_n(&i, 1, 5)) ; x++; __atomic_store_n(&i, 0, 5);", nullptr},
    {"spin lock that one forgets", "while (__atomic_exchange_n(&i, 1, 5)) ; x++; __atomic_store_n(&i, 0, 5);",
     "if (!__atomic_exchange_n(&i, 1, 5)) { x++; __atomic_store_n(&i, 0, 5); } else x++;", ""},
    {"spin under a lock", "x = 1; LOCK(m); y = 1; UNLOCK(m);",
     "int f; do { LOCK(m); f = y; UNLOCK(m); } while (!f); x = 2;", nullptr},
    {"two that spin under a lock", "int f; do { LOCK(m); f = y; UNLOCK(m); } while (!f); LOCK(m); x++; UNLOCK(m);",
     "int f; do { LOCK(m); f = y; UNLOCK(m); } while (!f); LOCK(m); x++; UNLOCK(m);", nullptr, "",
     "LOCK(m); y = 1; UNLOCK(m); pthread_join(h1, 0); pthread_join(h2, 0);"},
    {"spin that lets go of its lock", "LOCK(m); while (!y) { UNLOCK(m); LOCK(m); } UNLOCK(m); x = 1;",
     "x = 2; LOCK(m); y = 1; UNLOCK(m);", nullptr},
    {"spin that lets go too late", "LOCK(m); while (!y) { UNLOCK(m); LOCK(m); } UNLOCK(m); x = 1;",
     "LOCK(m); y = 1; UNLOCK(m); x = 2;", ""},
    {"wait in a loop", "x = 1; LOCK(m); y = 1; pthread_cond_signal(&c); UNLOCK(m);",
     "LOCK(m); while (!y) pthread_cond_wait(&c, &m); UNLOCK(m); x = 2;", nullptr},
    {"wait in a loop that writes late", "LOCK(m); y = 1; pthread_cond_signal(&c); UNLOCK(m); x = 1;",
     "LOCK(m); while (!y) pthread_cond_wait(&c, &m); UNLOCK(m); x = 2;", ""},
    {"tries", "while (pthread_mutex_trylock(&m)) ; x++; UNLOCK(m);", "LOCK(m); x++; UNLOCK(m);", nullptr},
    {"tries of a semaphore", "while (sem_trywait(&s)) ; x++; sem_post(&s);", "sem_wait(&s); x++; sem_post(&s);",
     nullptr, "sem_init(&s, 0, 1);"},
    {"semaphore held for a while", "int f; do { sem_wait(&s); f = y; sem_post(&s); } while (!f); x = 1;",
     "x = 2; sem_wait(&s); y = 1; sem_post(&s);", nullptr, "sem_init(&s, 0, 1);"},
    {"a failed try shows the round", "int f; do { LOCK(m); f = y; UNLOCK(m); } while (!f);",
     "if (pthread_mutex_trylock(&m)) x = 1; else { y = 1; UNLOCK(m); }", "", "", "x = 2;"},
    {"semaphore lent for a while", "while (!a) { sem_post(&s); sem_wait(&s); } x = 1;",
     "sem_wait(&s); x = 2; sem_post(&s); a = 1;", nullptr},
    {"permits made", "while (!a) sem_post(&s);", "sem_wait(&s); sem_wait(&s); sem_wait(&s); x = 2; a = 1;", "", "",
     "x = 1; pthread_join(h1, 0); pthread_join(h2, 0);"},
    {"flag raised twice", "while (!b) { a = 1; a = 0; }", "while (!a) ; while (a) ; while (!a) ; x = 2; b = 1;", "", "",
     "x = 1; pthread_join(h1, 0); pthread_join(h2, 0);"},
    {"rounds counted", "int k = 0; while (!a && k < 3) k++; if (k == 3) x = 1;", "x = 2; a = 1;", ""},
    {"function in the round", "x = 1; a = 1;", "while (!get()) ; x = 2;", nullptr},
    {"local in the round", "x = 1; a = 1;", "int k; do { k = 0; set(&k); } while (!k); x = 2;", nullptr},
    {"section in the round", "x = 1; ATOMIC(y = 1);", "int f; do { ATOMIC(f = y); } while (!f); x = 2;", nullptr},
    {"spin for ever", "while (!a) ; x = 1;", "while (!b) ; x = 2;", nullptr},
    // threads
    {"main ends first", "x = 1;", "y = 1;", "", "", "x = 2; return 0;"},
    {"main ends first, apart", "LOCK(m); x = 1; UNLOCK(m);", "y = 1;", nullptr, "", "LOCK(m); x = 2; UNLOCK(m);"},
    {"alone in the end", "LOCK(m); y = 1; UNLOCK(m); LOCK(n); x = 1; UNLOCK(n);",
     "LOCK(m); int f = y; UNLOCK(m); if (!f) x = 2;", "", "", "pthread_exit(0);"},
    {"threads of threads", "pthread_t h; pthread_create(&h, 0, t3, 0);",
     "pthread_t h; pthread_create(&h, 0, t3, 0); pthread_join(h, 0); LOCK(m); x++; UNLOCK(m);", nullptr},
    {"threads of threads that meet", "pthread_t h; pthread_create(&h, 0, t3, 0);",
     "pthread_t h; pthread_create(&h, 0, t3, 0); pthread_join(h, 0); x++;", ""},
};

std::string source_of(const Case& c) {
  std::string text = prelude;
  text += "__attribute__((noinline)) int get(void) { return a; }\n";
  text += "__attribute__((noinline)) void set(int *to) { if (a) *to = 1; }\n";
  text += "void *t3(void *given) { LOCK(m); x++; UNLOCK(m); return 0; }\n";
  text += std::string("void *t1(void *given) { ") + c.first + " return 0; }\n";
  text += std::string("void *t2(void *given) { ") + c.second + " return 0; }\n";
  text += std::string("int main(void) { pthread_t h1, h2; ") + c.begin +
          " pthread_create(&h1, 0, t1, 0); pthread_create(&h2, 0, t2, 0); " + c.end + " return 0; }\n";
  return text;
}

class Exhaustion : public testing::TestWithParam<Case> {};

TEST_P(Exhaustion, ProvesOnlyWhatItMay) {
  const Case& c = GetParam();
  const LoadedProgram loaded = load_program(source_of(c));
  ASSERT_TRUE(loaded.program) << loaded.program.error().message;
  ASSERT_TRUE(loaded.models);
  const ExhaustResult all = prove_by_exhaustion(InterpretedProgram(*loaded.program, *loaded.models), {});
  EXPECT_EQ(all.proof.has_value(), c.why == nullptr) << all.why;
  if (c.why != nullptr && *c.why != 0) EXPECT_NE(all.why.find(c.why), std::string::npos) << all.why;
  if (all.proof) EXPECT_TRUE(all.proof->assumptions().contains("sequential-consistency"));
}

/// What pruning leaves out has no race; what it does see has the same gaps.
TEST_P(Exhaustion, ProvesTheSameWithPruning) {
  const Case& c = GetParam();
  const LoadedProgram loaded = load_program(source_of(c));
  ASSERT_TRUE(loaded.program) << loaded.program.error().message;
  ASSERT_TRUE(loaded.models);
  ExhaustOptions options;
  options.prune = true;
  const ExhaustResult all = prove_by_exhaustion(InterpretedProgram(*loaded.program, *loaded.models), options);
  EXPECT_EQ(all.proof.has_value(), c.why == nullptr) << all.why;
  if (all.proof) EXPECT_EQ(all.proof->assumptions().contains("defined-elsewhere"), all.pruning.yes > 0);
}

std::string case_name(const testing::TestParamInfo<Case>& info) {
  std::string name;
  for (const char* p = info.param.name; *p != 0; ++p)
    if ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z')) name += *p;
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Exhaustion, testing::ValuesIn(cases), case_name);

TEST(OpenEnds, MainThatReadsItsArgumentsIsOpen) {
  const LoadedProgram open = load_program("int main(int argc, char **argv) { return argc; }");
  const LoadedProgram closed = load_program("int main(int argc, char **argv) { return 0; }");
  ASSERT_TRUE(open.program && closed.program && open.models);
  EXPECT_TRUE(open_ends(*open.program, *open.models).contains("main reads its arguments"));
  EXPECT_TRUE(open_ends(*closed.program, *open.models).empty());
}

std::set<std::string> assumed(const std::string& body) {
  const std::string thread = "void *t(void *p) { " + body + " return 0; }\n";
  const LoadedProgram loaded =
      load_program(std::string(prelude) + "int pthread_cond_init(pthread_cond_t *, const void *);\n" + thread +
                   "int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); return 0; }\n");
  if (!loaded.program) throw std::runtime_error(loaded.program.error().message);
  return InterpretedProgram(*loaded.program, *loaded.models).assumptions();
}

TEST(OpenEnds, EveryCallThatIsHeldToSucceedHasAName) {
  const std::set<std::string> always{"creation-succeeds", "sequential-consistency"};
  const auto with = [&](const char* name) {
    std::set<std::string> names = always;
    names.insert(name);
    return names;
  };
  EXPECT_EQ(assumed(""), always);
  EXPECT_EQ(assumed("pthread_mutex_init(&m, 0);"), with("locks-succeed"));
  EXPECT_EQ(assumed("pthread_cond_init(&c, 0);"), with("locks-succeed"));
  EXPECT_EQ(assumed("sem_init(&s, 0, 1);"), with("locks-succeed"));
  EXPECT_EQ(assumed("sem_post(&s);"), always);
  EXPECT_EQ(assumed("pthread_cond_wait(&c, &m);"), with("waits-return"));
  EXPECT_EQ(assumed("malloc(4);"), with("allocation-succeeds"));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::explore
