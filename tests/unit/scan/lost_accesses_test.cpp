// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses that went missing once on their way into a report, each by a way of its own.
#include <gtest/gtest.h>

#include "scan/scanned.h"

namespace heddle::scan {
namespace HEDDLE_TEST_FILE {

const std::string text_h = threads_h + "int rand(void); void *memset(void *, int, unsigned long); pthread_mutex_t m;\n";

/// Whether two workers, or main after it started them, race on a variable of that name.
bool races(const std::string& code, const std::string& variable = "x", const Assumptions& assumptions = {}) {
  const std::string main = code.contains("main(")
                               ? ""
                               : "\nint main(void) { pthread_t t; for (int i = 0; i < 3; i++) pthread_create(&t, 0, "
                                 "worker, 0); }\n";
  return std::ranges::any_of(Scanned(text_h + code + main, 1, assumptions).warnings(), [&](const std::string& warning) {
    const std::string name = warning.substr(0, warning.find(": "));
    return name.ends_with(variable);
  });
}

/// Whether `reader` races with anybody: the name of the variable is then the one of the larger access.
bool meets_reader(const std::string& code) {
  return std::ranges::any_of(Scanned(text_h + code).warnings(),
                             [](const std::string& warning) { return warning.contains("reader"); });
}

// ---- members

TEST(LostAccesses, EveryMemberOfABlock) {
  const std::string record = "struct big { long first, fill[100]; int x; } g; ";
  const std::string reader = "void *reader(void *a) { return (void *)(long)g.x; } ";
  const std::string main = "int main(void) { pthread_t t; pthread_create(&t, 0, reader, 0); pthread_create(&t, 0, ";
  const auto meets = [&](const std::string& worker) {
    return meets_reader(record + reader + worker + main + "worker, 0); }");
  };
  EXPECT_TRUE(meets("void *worker(void *a) { struct big b = {0}; g = b; return 0; }")) << "far behind the beginning";
  EXPECT_TRUE(meets("void *worker(void *a) { memset(&g, 0, (unsigned long)a); return 0; }")) << "of unknown length";
  EXPECT_FALSE(meets("void *worker(void *a) { memset(g.fill, 0, (unsigned long)a); return 0; }"))
      << "what is written into an array stays there (typed-memory)";
  EXPECT_FALSE(meets("void *worker(void *a) { memset(&g.first, 0, 16); return 0; }"));
}

TEST(LostAccesses, EveryMemberOfWhatIsFreed) {
  EXPECT_TRUE(meets_reader(R"(struct node { struct node *next; long key; int x; } *all;
    void *reader(void *a) { return (void *)(long)all->x; } void *worker(void *a) { free(all); return 0; }
    int main(void) { pthread_t t; pthread_create(&t, 0, reader, 0); pthread_create(&t, 0, worker, 0); })"));
}

TEST(LostAccesses, TwoMembersInOneLoad) {
  EXPECT_TRUE(races(R"(struct two { short a, x; } g; void use(struct two); void *reader(void *a) { use(g); return 0; }
    void *worker(void *a) { g.x = 1; return 0; }
    int main(void) { pthread_t t; pthread_create(&t, 0, reader, 0); pthread_create(&t, 0, worker, 0); })"));
}

// ---- roots

TEST(LostAccesses, OfAnEntryThatIsAlsoCalled) {
  EXPECT_TRUE(races(R"(struct job { int x; } shared; void *run(void *a) { ((struct job *)a)->x++; return 0; }
    void *worker(void *a) { struct job own = {0}; run(&own); return 0; }
    int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); pthread_create(&t, 0, run, &shared);
                     pthread_create(&t, 0, run, &shared); })"));
}

TEST(LostAccesses, ThroughTheParametersOfMain) {
  EXPECT_TRUE(races(R"(char **words; void *worker(void *a) { words[0][1] = 'x'; return 0; }
    int main(int n, char **argv) { pthread_t t; words = argv; pthread_create(&t, 0, worker, 0); return argv[0][1]; })",
                    "]"));
}

// ---- calls

TEST(LostAccesses, ThroughFunctionsThatCallEachOther) {
  // What `last` does has to come round to `a`, one call backward at a time.
  const std::string ring = R"(struct box { int x; } shared; int rand(void);
    void a(struct box *p); void b(struct box *p); void c(struct box *p); void d(struct box *p); void e(struct box *p);
    void e(struct box *p) { if (rand()) d(p); else p->x++; } void d(struct box *p) { if (rand()) c(p); e(p); }
    void c(struct box *p) { if (rand()) b(p); d(p); } void b(struct box *p) { if (rand()) a(p); c(p); }
    void a(struct box *p) { b(p); } )";
  EXPECT_TRUE(races(ring + "void *worker(void *arg) { a(&shared); return 0; }"));
  EXPECT_TRUE(races(ring + "void *worker(void *arg) { e(&shared); return 0; }"));
  EXPECT_TRUE(races(ring + "void *worker(void *arg) { c(&shared); return 0; }"));
}

TEST(LostAccesses, ByACallOfVeryMany) {
  std::string bodies, names;
  for (int i = 0; i < 16; ++i) {
    const std::string name = "f" + std::to_string(i);
    bodies += "void " + name + "(struct s *s) { " + (i == 11 ? "give(&m); s->p = &x;" : "") + " }\n";
    names += name + ",";
  }
  const std::string code =
      "int x; struct s { int *p; };\n" + bodies + "void (*const table[])(struct s *) = {" + names + "};\n";
  EXPECT_TRUE(races(code + "void *worker(void *a) { struct s s; take(&m); table[(long)a](&s); x++; return 0; }"))
      << "one of them gives the lock back";
  EXPECT_TRUE(
      races(code + "void *worker(void *a) { struct s s; s.p = 0; table[(long)a](&s); *s.p = 1; return 0; }", "p"))
      << "one of them writes the pointer";
}

TEST(LostAccesses, ByACallbackChosenDeepInside) {
  std::string choice = "f9";
  std::string code = "int x; void f9(void) { x++; }";
  for (int i = 8; i >= 0; --i) {
    const std::string name = "f" + std::to_string(i);
    code += "void " + name + "(void) {}";
    choice = "{ if (rand()) f = " + name + "; else " + (i == 8 ? "f = f9;" : choice) + " rand(); }";
  }
  EXPECT_TRUE(races(code + "void run(void (*f)(void)) { f(); } void *worker(void *a) { void (*f)(void); " + choice +
                    " run(f); return 0; }"));
}

TEST(LostAccesses, BehindAPointerThatAnotherFunctionFills) {
  EXPECT_TRUE(races(R"(struct s { int x; }; int fetch(int, struct s **); void use(struct s *s) { s->x++; }
    void *worker(void *a) { struct s *s = 0; if (fetch(1, &s)) use(s); return 0; })"));
}

// ---- what becomes known to others

TEST(LostAccesses, OfWhatHangsInAnObject) {
  const std::string types = R"(struct data { int x; } *shared; struct job { int id; struct data *d; };
    void *other(void *a) { if (shared) shared->x++; return 0; }
    void post(struct job *j) { shared = j->d; } void pass(struct job *j) { post(j); } )";
  const std::string main =
      "int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); pthread_create(&t, 0, other, 0); }";
  const auto found = [&](const std::string& body) {
    return std::ranges::any_of(
        Scanned(text_h + types + "void *worker(void *a) { " + body + " return 0; } " + main).warnings(),
        [](const std::string& warning) { return warning.contains("worker"); });
  };
  const std::string made = "struct data *d = malloc(sizeof *d); struct job j = {1, d}; ";
  EXPECT_TRUE(found(made + "pass(&j); d->x = 1;"));
  EXPECT_TRUE(found(made + "struct job k = j; pass(&k); d->x = 1;"));
  EXPECT_TRUE(found(made + "struct data *e = rand() ? d : 0; shared = rand() ? e : shared; d->x = 1;"));
  EXPECT_TRUE(found("struct data *d = 0; while (rand()) { if (d) { shared = d; d->x = 1; } d = malloc(sizeof *d); }"))
      << "chosen around a loop";
  EXPECT_FALSE(found(made + "d->x = 1; pass(&j);")) << "before";
}

TEST(LostAccesses, OfWhatIsPutIntoAnObjectThatTheCallerKnowsAlready) {
  const auto found = [](const std::string& start) {
    return races(R"(
void *malloc(unsigned long); struct pool; struct thread { pthread_t t; struct pool *pool; };
struct pool { struct thread *threads[9]; pthread_mutex_t m; int x; };
void *run(void *a) { struct pool *p = ((struct thread *)a)->pool; pthread_mutex_lock(&p->m); p->x++;
  pthread_mutex_unlock(&p->m); return 0; }
static void start(struct pool *p, struct thread **t) { *t = malloc(sizeof(struct thread)); )" +
                 start + R"( }
static struct pool *make(void) { struct pool *p = malloc(sizeof *p); start(p, &p->threads[1]); return p; }
int main(void) { struct pool *p = make(); p->x++; return 0; })");
  };
  EXPECT_TRUE(found("(*t)->pool = p; pthread_create(&(*t)->t, 0, run, *t);"));
  EXPECT_TRUE(found("struct thread *n = *t; n->pool = p; pthread_create(&n->t, 0, run, n);"));
  EXPECT_FALSE(found("(*t)->pool = p;")) << "no thread gets to know it";
}

TEST(LostAccesses, OfManyVariablesOfOneStruct) {
  std::string globals = "struct s { int x; };", body;
  for (int i = 0; i < 100; ++i) {
    globals += " struct s g" + std::to_string(i) + ";";
    body += " g" + std::to_string(i) + ".x++;";
  }
  const Lines all = Scanned(text_h + globals + " void *worker(void *a) {" + body +
                            " return 0; } int main(void) { pthread_t t; for (int i = 0; i < 3; i++) "
                            "pthread_create(&t, 0, worker, 0); }")
                        .warnings();
  for (int i = 0; i < 100; ++i) {
    const std::string name = "g" + std::to_string(i) + ".x: ";
    EXPECT_TRUE(std::ranges::any_of(all, [&](const std::string& line) { return line.contains(name); })) << name;
  }
}

// ---- classes of pointers

TEST(LostAccesses, ByVariableArguments) {
  EXPECT_TRUE(races(R"(#include <stdarg.h>
    struct s { int x; } g; void set(int n, ...) { va_list l; va_start(l, n);
      while (n--) { struct s *p = va_arg(l, struct s *); p->x = n; } va_end(l); }
    void *worker(void *a) { set(1, &g); return 0; } void *reader(void *a) { return (void *)(long)g.x; }
    int main(void) { pthread_t t; pthread_create(&t, 0, reader, 0); pthread_create(&t, 0, worker, 0); })"));
}

TEST(LostAccesses, ByAssembly) {
  EXPECT_TRUE(races(R"(struct s { int x; } one, *head = &one;
    struct s *swap(struct s **p, struct s *v) { __asm__ volatile("" : "+r"(v), "+m"(*p) : : "memory"); return v; }
    void *worker(void *a) { struct s *p = swap(&head, 0); p->x++; return 0; }
    void *reader(void *a) { return (void *)(long)one.x; }
    int main(void) { pthread_t t; pthread_create(&t, 0, reader, 0); pthread_create(&t, 0, worker, 0); })"));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::scan
