// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs whose race hides behind an order that pruning is tempted to leave out: thread 1 runs first, and in that
// order everything is protected. And programs without a race, of which some must take one execution.
#include <gtest/gtest.h>

#include <algorithm>

#include "explore/c_prelude.h"
#include "explore/clocks/first_race.h"
#include "explore/evidence/enumerate.h"
#include "explore/interpreted/interpreted_program.h"
#include "explore/prune/pruned_search.h"
#include "frontend/scratch_source.h"
#include "pipeline/explore.h"
#include "pipeline/load.h"

namespace heddle::explore {
namespace HEDDLE_TEST_FILE {

struct Case {
  const char* name;
  bool is_racy;
  const char* first;       ///< body of thread 1
  const char* second;      ///< body of thread 2
  const char* third = "";  ///< body of thread 3, if there is one
  const char* globals = "";
  const char* begin = "";
  const char* end = "";          ///< of main, behind the joins
  std::uint64_t executions = 0;  ///< exactly so many with pruning; 0: no matter
  const char* create = "";       ///< further threads
  const char* join = "";
};

// What most of them have: x is protected by m, and y, protected by n, tells thread 2 whether it comes late.
#define SAYS "LOCK(m); x++; UNLOCK(m); LOCK(n); y = 1; UNLOCK(n);"
#define ASKS "int k; LOCK(n); k = y; UNLOCK(n); "
// A thread that does something to what it was given if x is not 0.
#define WORK \
  "struct work { int k, n; } e[2]; \
void *child(void *p) { struct work *q = p; int j; LOCK(m); j = x; UNLOCK(m); if (j) q->n++; return 0; }"
// What the second thread does if it comes early matters to the first one, and to nobody else.
#define MEETS "if (e) z++; LOCK(n); y = 1; UNLOCK(n);"

const Case cases[] = {
    // control
    {"running example", true, "LOCK(m); x++; UNLOCK(m); LOCK(n); y++; UNLOCK(n); LOCK(m); z++; UNLOCK(m);",
     "int k; LOCK(m); z++; k = x; UNLOCK(m); LOCK(m); if (k == 0) y++; UNLOCK(m);"},
    {"if", true, SAYS, ASKS "if (!k) x++;"},
    {"else", true, SAYS, ASKS "if (k) z = 1; else x++;"},
    {"early return", true, SAYS, ASKS "if (k) return 0; x++;"},
    {"goto", true, SAYS, ASKS "if (k) goto end; x++; end: z = 1;"},
    {"switch", true, SAYS, ASKS "switch (k) { case 1: break; case 2: z = 1; break; default: x++; }"},
    {"switch that falls through", true, SAYS, ASKS "switch (k) { case 0: z++; case 5: x++; break; case 1: z--; }"},
    {"nested", true, SAYS, ASKS "if (!k) { LOCK(m); if (z == 5) { UNLOCK(m); x++; LOCK(m); } UNLOCK(m); }", "", "",
     "z = 5;"},
    {"loop", true, "LOCK(m); d[2] = 1; UNLOCK(m); LOCK(n); i = 1; UNLOCK(n);",
     "int k; LOCK(n); k = i; UNLOCK(n); for (int j = 0; j < k; j++) d[j]++;", "", "int d[3];", "i = 3;"},
    {"loop with break", true, SAYS, "for (int j = 0; j < 2; j++) { " ASKS "if (!k) { x++; break; } }"},
    {"number of rounds", true, SAYS,
     "int q, j = 0, k; do { q = z; z = 1; LOCK(n); k = y; UNLOCK(n); j++; } while (k && j < 2); if (!q) x++;"},
    {"number of rounds in a global", true, SAYS,
     "int j = 0, k; do { z++; LOCK(n); k = y; UNLOCK(n); j++; } while (k && j < 2); if (z == 1) x++;"},
    {"a round that is left out", true, SAYS,
     "int q, k; for (;;) { q = z; if (i == 1) break; z = 1; i = 1; LOCK(n); k = y; UNLOCK(n); if (!k) break; } "
     "if (!q) x++;"},
    {"behind a loop that spins", true, "LOCK(m); x++; UNLOCK(m); while (!a) ; x++;", "a = 1; LOCK(m); x++; UNLOCK(m);"},
    {"recursion", true, SAYS, ASKS "if (!k) deep(2);", "", "void deep(int d) { if (d) deep(d - 1); else x++; }"},
    {"an address twice in one step", true, "d[1]++; LOCK(n); i = 0; UNLOCK(n);",
     "int k = 0; LOCK(n); for (int j = 0; j < 2; j++) { d[k]++; k = i; } UNLOCK(n);", "", "int d[2];", "i = 1;"},
    {"the thread ends", true, SAYS, ASKS "if (k) pthread_exit(0); x++;"},
    {"the thread ends in a callee", true, SAYS, ASKS "stop(k); x++;", "",
     "void stop(int k) { if (k) pthread_exit(0); }"},
    {"callee asks", true, SAYS, "if (!late()) x++;", "",
     "int late(void) { int k; LOCK(n); k = y; UNLOCK(n); return k; }"},
    {"callee acts", true, SAYS, ASKS "act(k);", "", "void act(int k) { if (!k) x++; }"},
    {"conditional operator", true, "LOCK(m); d[2]++; UNLOCK(m); LOCK(n); y = 1; UNLOCK(n);", ASKS "d[k ? 1 : 2]++;", "",
     "int d[3];"},
    // values that branches choose
    {"where sides meet", true, SAYS, ASKS "int j; if (k) { z = 1; j = 2; } else { z = 2; j = 1; } if (j == 1) x++;"},
    {"on a side of a side", true, SAYS,
     ASKS "int j = 2; if (z == 5) { if (k) z = 1; else { z = 2; j = 1; } z++; } if (j == 1) x++;", "", "", "z = 5;"},
    {"by a switch", true, SAYS,
     ASKS "int j; switch (k) { case 1: z = 1; j = 2; break; case 2: z = 2; default: z++; j = 1; } if (j == 1) x++;"},
    {"in a round", true, SAYS, ASKS "int j = 0; for (int r = 0; r < 2; r++) if (!k) { z++; j++; } if (j) x++;"},
    {"by a break", true, SAYS, ASKS "int j; for (j = 0; j < 3; j++) { if (!k) break; z++; } if (j == 0) x++;"},
    {"by a continue", true, SAYS,
     ASKS "int j = 0, r = 0; while (r < 3) { r++; if (k) continue; z++; j = r; } if (j == 3) x++;"},
    {"by a goto", true, SAYS, ASKS "int j = 1; if (k) { z = 1; goto out; } z = 2; j = 0; out: if (!j) x++;"},
    {"in a callee", true, SAYS, ASKS "if (pick(k) == 1) x++;", "",
     "int pick(int k) { int j; if (k) { z = 1; j = 2; } else { z = 2; j = 1; } return j; }"},
    {"by a return", true, SAYS, ASKS "if (pick(k) == 1) x++;", "",
     "int pick(int k) { if (k) { z = 1; return 2; } z = 2; return 1; }"},
    {"an index", true, "d[1]++; LOCK(n); y = 1; UNLOCK(n);",
     ASKS "int j; if (k) { z = 1; j = 0; } else { z = 2; j = 1; } d[j]++;", "", "int d[2];"},
    {"not by what meets before", false, "y = 3; LOCK(m); x++; UNLOCK(m);",
     "for (int j = 0; j < 2; j++) { int k; LOCK(m); k = x; if (k) z++; UNLOCK(m); if (j > 5) y++; }", "", "", "", "",
     1},
    // values that went through memory
    {"through a global", true, SAYS, ASKS "z = k; if (!z) x++;"},
    {"through a local variable", true, SAYS, "int k, *p = &k; LOCK(n); *p = y; UNLOCK(n); if (!k) x++;"},
    {"through a struct", true, "LOCK(m); x++; UNLOCK(m); LOCK(n); g.b = 1; UNLOCK(n);",
     "LOCK(n); struct two k = g; UNLOCK(n); if (!k.b) x++;", "", "struct two { long a, b; } g;"},
    {"through a third thread", true, SAYS, ASKS "LOCK(n); z = k; UNLOCK(n);",
     "int k; LOCK(n); k = z; UNLOCK(n); if (!k) x++;"},
    {"through the heap", true, SAYS, ASKS "int *q = malloc(4); *q = k; if (!*q) x++; free(q);"},
    {"through an argument", true, SAYS,
     ASKS "pthread_t h; pthread_create(&h, 0, child, (void *)(long)k); pthread_join(h, 0);", "",
     "void *child(void *p) { if (!p) x++; return 0; }"},
    {"through an argument that leads elsewhere", true,
     "LOCK(m); x++; UNLOCK(m); e[0].n = 1; LOCK(n); y = 1; UNLOCK(n);",
     ASKS "pthread_t h; pthread_create(&h, 0, child, &e[k]); pthread_join(h, 0);", "", WORK},
    {"behind an argument", true, "LOCK(m); e[0].n++; UNLOCK(m); LOCK(n); y = 1; UNLOCK(n);", "", "",
     "struct work { int k, n; } e[2]; void *child(void *p) { struct work *q = p; " ASKS "if (!k) q->n++; return 0; }",
     "", "", 0, "pthread_t h; pthread_create(&h, 0, child, &e[0]); ", "pthread_join(h, 0); "},
    {"through the result of a thread", true, SAYS,
     "pthread_t h; void *p; pthread_create(&h, 0, child, 0); pthread_join(h, &p); if (!p) x++;", "",
     "void *child(void *p) { int k; LOCK(n); k = y; UNLOCK(n); return (void *)(long)k; }"},
    // addresses
    {"index", true, "d[1]++; LOCK(m); i = 0; UNLOCK(m);", "int k; LOCK(m); k = i; UNLOCK(m); d[k]++;", "", "int d[2];",
     "i = 1;"},
    {"index on the heap", true, "LOCK(m); d[1]++; UNLOCK(m); LOCK(n); i = 0; UNLOCK(n);",
     "int k; LOCK(n); k = i; UNLOCK(n); d[k]++;", "", "int *d;", "i = 1; d = malloc(8);"},
    {"pointer", true, "LOCK(m); x++; UNLOCK(m); LOCK(n); d = &z; UNLOCK(n);",
     "int *k; LOCK(n); k = d; UNLOCK(n); (*k)++;", "", "int *d = &x;"},
    {"pointer in a callee", true, "LOCK(m); x++; UNLOCK(m); LOCK(n); d = &z; UNLOCK(n);",
     "int *k; LOCK(n); k = d; UNLOCK(n); add(k);", "", "int *d = &x; void add(int *p) { (*p)++; }"},
    {"call through a pointer", true, "LOCK(m); x++; UNLOCK(m); LOCK(n); f = safe; UNLOCK(n);",
     "void (*k)(void); LOCK(n); k = f; UNLOCK(n); k();", "",
     "void safe(void) { LOCK(m); x++; UNLOCK(m); } void bad(void) { x++; } void (*f)(void) = bad;"},
    // locks
    {"lock by a pointer", true, "LOCK(m); x++; UNLOCK(m); LOCK(n); l = &m; UNLOCK(n);",
     "pthread_mutex_t *k; LOCK(n); k = l; UNLOCK(n); pthread_mutex_lock(k); x++; pthread_mutex_unlock(k);", "",
     "pthread_mutex_t other, *l = &other;"},
    {"lock by a pointer in a callee", true, "LOCK(m); x++; UNLOCK(m); LOCK(n); l = &m; UNLOCK(n);",
     "pthread_mutex_t *k; LOCK(n); k = l; UNLOCK(n); hold(k); x++; pthread_mutex_unlock(k);", "",
     "pthread_mutex_t other, *l = &other; void hold(pthread_mutex_t *p) { pthread_mutex_lock(p); }"},
    {"release on the other side", true, SAYS, "LOCK(m); " ASKS "if (!k) UNLOCK(m); x++; if (k) UNLOCK(m);"},
    {"release in a callee", true, SAYS, "LOCK(m); " ASKS "if (!k) drop(); x++; if (k) UNLOCK(m);", "",
     "void drop(void) { UNLOCK(m); }"},
    {"release by a pointer", true, SAYS, "LOCK(m); " ASKS "if (!k) drop(&m); x++; if (k) UNLOCK(m);", "",
     "void drop(pthread_mutex_t *p) { pthread_mutex_unlock(p); }"},
    {"taken on one side", true, SAYS, ASKS "if (k) LOCK(m); x++; if (k) UNLOCK(m);"},
    {"taken on one way of the other side", true, SAYS, ASKS "if (!k) { if (z) LOCK(m); x++; if (z) UNLOCK(m); }"},
    {"taken on the other way of the other side", true, SAYS,
     ASKS "if (!k) { if (!z) LOCK(m); else i = 1; x++; if (!z) UNLOCK(m); }", "", "", "z = 1;"},
    {"release in a recursion", true, SAYS, "LOCK(m); " ASKS "if (!k) deep(1); else { x++; UNLOCK(m); }", "",
     "void deep(int d) { if (d) { UNLOCK(m); deep(0); } else x++; }"},
    {"another lock on the other side", true, SAYS,
     ASKS "if (k) LOCK(m); else LOCK(o); x++; if (k) UNLOCK(m); else UNLOCK(o);", "", "pthread_mutex_t o;"},
    {"figure 3", true, SAYS,
     ASKS "LOCK(o); if (k) { LOCK(m); x++; UNLOCK(m); z = 5; LOCK(q); } else { LOCK(q); x++; } i++; UNLOCK(q); "
          "UNLOCK(o);",
     "", "pthread_mutex_t o, q;"},
    {"ends at one place", true, SAYS, ASKS "if (k) { if (k > 5) z = 1; else LOCK(m); } x++; if (k) UNLOCK(m);"},
    {"ends at the return", true, SAYS, "ask(); x++; UNLOCK(m);", "",
     "void ask(void) { int k; LOCK(n); k = y; UNLOCK(n); if (k) { LOCK(m); return; } if (z) { LOCK(m); return; } }"},
    {"release in a loop", true, SAYS, "LOCK(m); " ASKS "for (int j = k; j < 1; j++) UNLOCK(m); x++; if (k) UNLOCK(m);"},
    {"try", true, "LOCK(m); x++; UNLOCK(m);", "if (pthread_mutex_trylock(&m)) x++; else UNLOCK(m);"},
    {"result of a try", true, "LOCK(m); x++; UNLOCK(m);", "int k = pthread_mutex_trylock(&m); x++; if (!k) UNLOCK(m);"},
    {"readers that write", true,
     "pthread_rwlock_rdlock(&w); z = x; pthread_rwlock_unlock(&w); LOCK(n); y = 1; UNLOCK(n);",
     ASKS "pthread_rwlock_rdlock(&w); if (!k) x++; pthread_rwlock_unlock(&w);"},
    {"sections", true, "ATOMIC(x++); ATOMIC(y = 1);", "int k; ATOMIC(k = y); if (!k) x++;"},
    // threads
    {"thread of the other side", true, SAYS,
     ASKS "if (!k) { pthread_t h; pthread_create(&h, 0, child, 0); pthread_join(h, 0); }", "",
     "void *child(void *p) { x++; return 0; }"},
    {"join on one side", true, "LOCK(n); y = 1; UNLOCK(n);",
     "pthread_t h; pthread_create(&h, 0, child, 0); " ASKS
     "if (k) pthread_join(h, 0); x++; if (!k) pthread_join(h, 0);",
     "", "void *child(void *p) { x++; return 0; }"},
    {"join in a loop", true, "LOCK(n); y = 1; UNLOCK(n);",
     "pthread_t h; pthread_create(&h, 0, child, 0); " ASKS "for (int j = 0; j < k; j++) pthread_join(h, 0); x++;", "",
     "void *child(void *p) { x++; return 0; }"},
    // what the paper's line 27 does not look at
    {"further back", true, "z++; LOCK(m); x = 1; UNLOCK(m); LOCK(n); y = 1; UNLOCK(n);",
     ASKS "if (!k) { LOCK(m); int d = x; UNLOCK(m); if (!d) z++; }"},
    {"further back by a lock", true, "int e; LOCK(m); e = x; UNLOCK(m); " MEETS,
     ASKS "if (!k) { LOCK(m); x = 1; UNLOCK(m); }", "z++;"},
    {"further back by a lock of a callee", true, "int e; LOCK(m); e = x; UNLOCK(m); " MEETS, ASKS "if (!k) tell();",
     "z++;", "void tell(void) { LOCK(m); x = 1; UNLOCK(m); }"},
    {"further back by a lock at a pointer", true, "int e; LOCK(m); e = x; UNLOCK(m); " MEETS,
     ASKS "if (!k) { pthread_mutex_lock(l); x = 1; pthread_mutex_unlock(l); }", "z++;", "pthread_mutex_t *l = &m;"},
    {"further back by an atomic", true, "int e = a; " MEETS, ASKS "if (!k) a = 1;", "z++;"},
    {"further back by an atomic at a pointer", true, "int e = a; " MEETS, ASKS "if (!k) *d = 1;", "z++;",
     "_Atomic int *d = &a;"},
    {"further back by another address", true, "int e = f[0]; if (e) z++; LOCK(n); y = 1; UNLOCK(n);", ASKS "f[k] = 1;",
     "z++;", "_Atomic int f[2];"},
    {"further back by a section", true, "int e; ATOMIC(e = x); " MEETS, ASKS "if (!k) ATOMIC(x = 1);", "z++;"},
    {"further back twice", true,
     "int e; LOCK(m); e = x; UNLOCK(m); if (e) z++; LOCK(o); i = 1; UNLOCK(o); LOCK(n); y = 1; UNLOCK(n);",
     ASKS "if (!k) { LOCK(o); int d = i; UNLOCK(o); if (!d) { LOCK(m); x = 1; UNLOCK(m); } }", "z++;",
     "pthread_mutex_t o;"},
    {"further back, and the racing thread in front", true, "z++;", "int e; LOCK(m); e = x; UNLOCK(m); " MEETS,
     ASKS "if (!k) { LOCK(m); x = 1; UNLOCK(m); }"},
    {"a semaphore of the other side", true, "int e; LOCK(m); e = x; UNLOCK(m); " MEETS,
     ASKS "if (!k) { sem_post(&s); LOCK(m); x = 1; UNLOCK(m); }", "z++;", "", "sem_init(&s, 0, 0);"},
    // no race
    {"one lock", false, "LOCK(m); x++; UNLOCK(m); LOCK(m); x++; UNLOCK(m);", "LOCK(m); x++; UNLOCK(m);",
     "LOCK(m); x++; UNLOCK(m); LOCK(m); y++; UNLOCK(m);", "", "", "", 1},
    {"printed behind the joins", false, "LOCK(m); x++; UNLOCK(m);", "LOCK(m); x++; UNLOCK(m);", "", "", "",
     "printf(\"%d\\n\", x);", 1},
    {"locked behind the joins", false, "LOCK(m); x++; UNLOCK(m);", "LOCK(m); x++; UNLOCK(m);", "", "", "",
     "LOCK(m); if (x > 1) x = 0; UNLOCK(m);", 1},
    {"both sides protected", false, SAYS, ASKS "if (k) LOCK(m); else { LOCK(m); z = 1; } x++; UNLOCK(m);", "", "", "",
     "", 1},
    {"figure 3, behind the branch", false, "LOCK(n); y = 1; UNLOCK(n); LOCK(q); i++; UNLOCK(q);",
     ASKS "if (k) { LOCK(m); x++; UNLOCK(m); LOCK(q); } else { LOCK(q); x++; } i++; UNLOCK(q);", "",
     "pthread_mutex_t q;", "", "", 1},
    {"other side protected", false, SAYS, ASKS "if (!k) { LOCK(m); x++; UNLOCK(m); }", "", "", "", "", 1},
    {"other side ends the program", false, SAYS, ASKS "if (!k) abort(); LOCK(m); x++; UNLOCK(m);", "", "", "", "", 1},
    {"neighbours", false, "LOCK(n); i = 0; UNLOCK(n); d[0] = 1;",
     "int k; LOCK(n); k = i; UNLOCK(n); if (k == 1) d[1] = 1;", "", "char d[2];", "i = 1;", "", 1},
    {"each its element", false, "", "", "",
     "struct work { int k, n; } e[3]; void *child(void *p) { struct work *q = p; LOCK(m); int j = x++; UNLOCK(m); "
     "if (j == 1) q->n++; else q->k = j; return 0; }",
     "", "", 1, "pthread_t h[3]; for (int j = 0; j < 3; j++) pthread_create(&h[j], 0, child, &e[j]); ",
     "for (int j = 0; j < 3; j++) pthread_join(h[j], 0); "},
    {"each its piece of the heap", false, "", "", "",
     "void *child(void *p) { int *q = p; LOCK(m); int j = x++; UNLOCK(m); if (j) q[1] = 1; else q[0] = 1; return 0; }",
     "", "", 1, "pthread_t h[2]; for (int j = 0; j < 2; j++) pthread_create(&h[j], 0, child, malloc(8)); ",
     "for (int j = 0; j < 2; j++) pthread_join(h[j], 0); "},
    {"reader and writer", false,
     "pthread_rwlock_wrlock(&w); x++; pthread_rwlock_unlock(&w); LOCK(n); y = 1; UNLOCK(n);",
     ASKS "pthread_rwlock_rdlock(&w); if (!k) z = x; pthread_rwlock_unlock(&w);", "", "", "", "", 1},
    {"message", false, "x = 1; LOCK(n); y = 1; UNLOCK(n);", ASKS "if (k) x = 2;"},
    {"message by an atomic", false, "x = 1; a = 1;", "if (a) x = 2;"},
};

struct Seen {
  bool is_racy = false;
  PruneStatistics statistics;
};

Seen search_through(const Subject& subject, bool prune, bool at_accesses) {
  ExecutionLimits limits;
  limits.at_accesses = at_accesses;
  limits.tell_sides = prune;
  const std::unique_ptr<Executor> executor = subject.for_search(limits);
  Seen seen;
  SearchLimits bounds;
  bounds.executions = 20'000;
  seen.statistics = pruned_search(*executor, {.prune = prune, .at_accesses = at_accesses}, bounds, [&](const Trace&) {
    seen.is_racy = seen.is_racy || first_race(*executor).has_value();
    return !seen.is_racy;
  });
  return seen;
}

std::uint64_t fact(const DriverAnswer& answer, const std::string& wanted) {
  for (const auto& [name, value] : answer.facts)
    if (name == wanted) return std::strtoull(value.c_str(), nullptr, 10);
  return 0;
}

bool has_fact(const DriverAnswer& answer, const std::string& wanted) {
  return std::ranges::any_of(answer.facts, [&](const auto& one) { return one.first == wanted; });
}

std::string source_of(const Case& one) {
  std::string text = std::string(prelude) + one.globals + "\n";
  std::string create, join;
  const char* const bodies[] = {one.first, one.second, one.third};
  for (std::size_t t = 0; t < 3 && bodies[t][0] != 0; ++t) {
    const std::string number = std::to_string(t + 1);
    text += "void *t" + number + "(void *given) { " + bodies[t] + " return 0; }\n";
    create += "pthread_create(&h" + number + ", 0, t" + number + ", 0); ";
    join += "pthread_join(h" + number + ", 0); ";
  }
  return text + "int main(void) { pthread_t h1, h2, h3; " + one.begin + create + one.create + join + one.join +
         one.end + " return 0; }\n";
}

TEST(PrunePrograms, PruningFindsARaceExactlyWhenThereIsOne) {
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    const frontend::ScratchFolder folder;
    pipeline::Input options;
    options.sources.push_back({folder.write("case.c", source_of(one)), {}});
    const Result<Program> program = pipeline::load(options);
    ASSERT_TRUE(program) << program.error().message;
    const Result<api::ApiModels> models = pipeline::load_models(options, *program);
    const InterpretedProgram subject(*program, *models);
    for (const bool at_accesses : {false, true}) {
      const Seen plain = search_through(subject, false, at_accesses);
      const Seen pruned = search_through(subject, true, at_accesses);
      EXPECT_EQ(plain.is_racy, one.is_racy);
      EXPECT_EQ(pruned.is_racy, one.is_racy) << (at_accesses ? "by accesses" : "by synchronisations");
      if (one.is_racy) continue;
      EXPECT_TRUE(pruned.statistics.search.complete);
      EXPECT_LE(pruned.statistics.search.executions, plain.statistics.search.executions);
      if (one.executions != 0) EXPECT_EQ(pruned.statistics.search.executions, one.executions);
    }
  }
}

/// The same search over the running program, which knows of other sides what its table says.
TEST(PrunePrograms, TheRunningProgramIsPrunedAsTheInterpretedOneIs) {
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    const frontend::ScratchFolder folder;
    pipeline::Input options;
    options.sources.push_back({folder.write("case.c", source_of(one)), {}});
    const Result<Program> program = pipeline::load(options);
    ASSERT_TRUE(program) << program.error().message;
    const Result<api::ApiModels> models = pipeline::load_models(options, *program);
    const InterpretedProgram subject(*program, *models);
    const auto native = pipeline::search_natively(
        options, {.searches = {{{"SEARCH", "pruned"}}, {{"SEARCH", "pruned"}, {"AT_ACCESSES", "1"}}}, .arguments = {}});
    ASSERT_TRUE(native) << native.error().message;
    for (const bool at_accesses : {false, true}) {
      const DriverAnswer& answer = (*native)[at_accesses ? 1 : 0];
      EXPECT_EQ(has_fact(answer, "racing"), one.is_racy) << (at_accesses ? "by accesses" : "by synchronisations");
      // A round of a thread that spins is noticed one step earlier where it really runs.
      if (at_accesses || std::string_view(one.name).contains("spins")) continue;
      EnumerateOptions pruning;
      pruning.prune = true;
      const Enumeration seen = enumerate(subject, pruning);
      EXPECT_EQ(answer.executions, seen.statistics.executions);
      EXPECT_EQ(fact(answer, "checks"), seen.pruning.checks);
      EXPECT_EQ(fact(answer, "yes"), seen.pruning.yes);
      EXPECT_EQ(fact(answer, "skipped"), seen.pruning.skipped);
    }
  }
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::explore
