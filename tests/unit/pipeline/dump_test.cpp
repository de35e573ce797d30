// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <sstream>

#include "frontend/scratch_source.h"
#include "pipeline/dump.h"

namespace heddle::pipeline {
namespace HEDDLE_TEST_FILE {

constexpr const char* program = R"(
#include <pthread.h>
struct box { pthread_mutex_t m; int n; } b = {PTHREAD_MUTEX_INITIALIZER, 0};
static void take(struct box *x) { pthread_mutex_lock(&x->m); }
static void put(struct box *x) { x->n = 1; pthread_mutex_unlock(&x->m); }
static void *work(void *a) { take(a); put(a); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, &b);
  if (b.n > 3) b.n = 2;
  pthread_join(t, 0);
  return 0;
}
)";

std::string dumped(Result<void> (*dump)(std::ostream&, const Input&, const Loaded&), const char* text = program) {
  const frontend::ScratchFolder folder;
  Input input;
  input.sources = {{folder.write("unit.c", text), {}}};
  const Result<Loaded> loaded = read_input(input);
  if (!loaded) return loaded.error().message;
  std::ostringstream out;
  const Result<void> done = dump(out, input, *loaded);
  return done ? out.str() : done.error().message;
}

TEST(DumpSummaries, SayWhatAFunctionTakesGivesBackAndTouches) {
  const std::string text = dumped(dump_summaries);
  EXPECT_TRUE(text.contains("  exit +{x->m}\n")) << text;
  EXPECT_TRUE(text.contains("  exit -{x->m}\n")) << text;
  EXPECT_TRUE(text.contains("write of x->n at")) << text;
  EXPECT_TRUE(text.contains("  starts work at")) << text;
}

TEST(DumpSummaries, SayWhereALockIsHeld) {
  const std::string text = dumped(dump_summaries);
  const std::size_t work = text.find("\nwork  ");
  ASSERT_NE(work, std::string::npos) << text;
  EXPECT_TRUE(text.substr(work, text.find("\n  returns", work) - work).contains(" +{")) << text;
}

TEST(DumpStates, SayWhichThreadsRunAndWhichEnded) {
  const std::string text = dumped(dump_states);
  EXPECT_TRUE(text.contains("main\n  block 0 at ")) << text;
  EXPECT_TRUE(text.contains("    no other thread runs\n")) << text;
  EXPECT_TRUE(text.contains("    other threads may run\n")) << text;
  EXPECT_TRUE(text.contains("    created work at ")) << text;
}

TEST(DumpStates, SayWhichLocksAreHeldInWhichCall) {
  const std::string text = dumped(dump_states);
  const std::size_t put = text.find("put, called at ");
  ASSERT_NE(put, std::string::npos) << text;
  EXPECT_TRUE(text.substr(put, 300).contains("    locks   &b\n")) << text;
}

TEST(DumpStates, NeedAWholeProgram) {
  EXPECT_TRUE(dumped(dump_states, "int f(void) { return 1; }").contains("no function main with a body"));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::pipeline
