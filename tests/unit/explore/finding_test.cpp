// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the search meets beside races: each kind is found once a place, with a schedule that shows it again, also after
// a way through its text; and a program without fault has none.
#include <gtest/gtest.h>

#include "explore/interpreted/interpreted_program.h"
#include "frontend/scratch_source.h"
#include "judge/explore/searches.h"
#include "pipeline/load.h"

namespace heddle::explore {
namespace HEDDLE_TEST_FILE {

constexpr const char* prelude = R"(
typedef unsigned long pthread_t;
typedef union { char size[48]; long align; } pthread_mutex_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_mutex_destroy(pthread_mutex_t *);
void *malloc(unsigned long);
void free(void *);
void abort(void) __attribute__((noreturn));
void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
#define LOCK(m) pthread_mutex_lock(&m)
#define UNLOCK(m) pthread_mutex_unlock(&m)
int x, y;
int *q;
pthread_mutex_t m, n;
)";

struct Case {
  const char* name;
  const char* first;
  const char* second;
  const char* kind;  ///< null: nothing is found
  const char* what = "";
};

const Case cases[] = {
    {"fine", "LOCK(m); x++; UNLOCK(m);", "LOCK(m); x++; UNLOCK(m);", nullptr},
    {"deadlock", "LOCK(m); LOCK(n); x++; UNLOCK(n); UNLOCK(m);", "LOCK(n); LOCK(m); x++; UNLOCK(m); UNLOCK(n);",
     "deadlock", "blocked"},
    {"assertion", "LOCK(m); if (y == 1) __assert_fail(\"y != 1\", \"f\", 1, \"g\"); UNLOCK(m);",
     "LOCK(m); y = 1; UNLOCK(m);", "failed assertion", "y != 1"},
    {"abort", "LOCK(m); if (y == 1) abort(); UNLOCK(m);", "LOCK(m); y = 1; UNLOCK(m);", "abort"},
    {"null pointer", "LOCK(m); if (y) *q = 1; UNLOCK(m);", "LOCK(m); y = 1; UNLOCK(m);", "crash", "null pointer"},
    {"out of bounds", "int *p = malloc(8); p[2] = 1;", "y = 1;", "crash", "offset 8"},
    {"after free", "int *p = malloc(8); free(p); *p = 1;", "y = 1;", "crash", "freed"},
    {"freed twice", "int *p = malloc(8); free(p); free(p);", "y = 1;", "crash", "twice"},
    {"division", "LOCK(m); x = 1 / y; UNLOCK(m);", "y = 0;", "crash", "division by zero"},
    {"not held", "LOCK(m); UNLOCK(m); UNLOCK(m);", "y = 1;", "misused lock", "not held"},
    {"destroyed", "LOCK(m); pthread_mutex_destroy(&m);", "y = 1;", "misused lock", "destroyed"},
    {"lock twice", "LOCK(n); LOCK(n);", "y = 1;", "deadlock"},
};

std::string source_of(const Case& c) {
  return std::string(prelude) + "void *t1(void *given) { " + c.first + " return 0; }\nvoid *t2(void *given) { " +
         c.second +
         " return 0; }\nint main(void) { pthread_t h1, h2; pthread_create(&h1, 0, t1, 0); pthread_create(&h2, 0, t2, "
         "0);"
         " pthread_join(h1, 0); pthread_join(h2, 0); return 0; }\n";
}

class FindingsOf : public testing::TestWithParam<Case> {};

TEST_P(FindingsOf, AreSeenAndReplay) {
  const Case& c = GetParam();
  const frontend::ScratchFolder folder;
  pipeline::Input options;
  options.sources.push_back({folder.write("case.c", source_of(c)), {}});
  const Result<Program> program = pipeline::load(options);
  const Result<api::ApiModels> models = pipeline::load_models(options);
  ASSERT_TRUE(program) << program.error().message;
  FindOptions limits;
  limits.instruction_budget = 5'000'000;
  const FindResult found = find_race(InterpretedProgram(*program, *models), limits);
  if (c.kind == nullptr) {
    EXPECT_TRUE(found.findings.all().empty());
    return;
  }
  ASSERT_FALSE(found.findings.all().empty());
  const Finding& finding = found.findings.all().front();
  EXPECT_EQ(finding.ending.kind, c.kind);
  EXPECT_NE(finding.ending.what.find(c.what), std::string::npos) << finding.ending.what;
  ASSERT_TRUE(finding.schedule);
  const Result<race::Schedule> read = race::parse_schedule(to_text(*finding.schedule), "text");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(*read == *finding.schedule);
  const Result<ReplayedEnding> again = replay_ending(InterpretedProgram(*program, *models), *read);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->kind, c.kind);
  EXPECT_EQ(again->what, finding.ending.what);
  race::Schedule shorter = *read;
  shorter.slices.pop_back();
  EXPECT_FALSE(replay_ending(InterpretedProgram(*program, *models), shorter)) << "what fails is at the end";
}

std::string case_name(const testing::TestParamInfo<Case>& info) {
  std::string name;
  for (const char* p = info.param.name; *p != 0; ++p)
    if (*p >= 'a' && *p <= 'z') name += *p;
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, FindingsOf, testing::ValuesIn(cases), case_name);

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::explore
