// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run takes from outside: only what its model calls an input, within what is possible, and listed.
#include "machine_fixture.h"

namespace heddle::interpret {
namespace HEDDLE_TEST_FILE {

std::string unsupported(std::string_view text) {
  ProgramRun run(text);
  const RunOutcome& outcome = run.finish();
  return outcome.kind == OutcomeKind::Unsupported ? outcome.what : "it ran";
}

TEST(InterpretInputs, NoResultComesFromNowhere) {
  EXPECT_EQ(unsupported("int eventfd(unsigned, int); int main(void) { return eventfd(0, 0); }"), "function eventfd");
  EXPECT_EQ(unsupported("int flock(int, int); int main(void) { return flock(3, 2); }"), "function flock");
  EXPECT_EQ(unsupported("int mkdir(const char *, int); int main(void) { return mkdir(\"d\", 7); }"), "function mkdir");
  EXPECT_EQ(unsupported("int nice(int); int main(void) { return nice(1); }"), "function nice");
  EXPECT_EQ(unsupported("int nice(int); int main(void) { nice(1); return 0; }"), "it ran");
  EXPECT_EQ(unsupported("void sync(void); int main(void) { sync(); return 0; }"), "it ran");
}

TEST(InterpretInputs, ArgumentsAreChosenAndListed) {
  ProgramRun run(
      "int strcmp(const char *, const char *);\n"
      "int main(int n, char **v) { return n > 1 ? strcmp(v[1], \"-v\") == 0 : 5; }");
  run.chooser.answers = {1, 10};  // one argument, the first text of the program
  EXPECT_EQ(run.finish().exit_code, 1);
  const std::vector<std::string> inputs(run.machine.inputs().begin(), run.machine.inputs().end());
  EXPECT_EQ(inputs, (std::vector<std::string>{"argc - 1 = 1", "argv[1] = \"-v\""}));
  ProgramRun plain("int main(int n, char **v) { (void)n; (void)v; return 3; }");
  EXPECT_EQ(plain.finish().exit_code, 3);
}

TEST(InterpretInputs, NumbersOfTheProcessKeepTheirRelations) {
  ProgramRun run(
      "int getpid(void), getppid(void), gettid(void), kill(int, int); int main(void) {\n"
      "  return (getpid() > 0) + 2 * (getpid() == getpid()) + 4 * (getppid() != getpid()) +\n"
      "         8 * (gettid() == getpid()) + 16 * (kill(getpid(), 0) == 0); }");
  run.chooser.answers = {7, 7};
  EXPECT_EQ(run.finish().exit_code, 31);
}

TEST(InterpretInputs, SignalsEndTheProgram) {
  EXPECT_EQ(ProgramRun("int raise(int); int main(void) { raise(9); return 3; }").finish().exit_code, 137);
  EXPECT_EQ(ProgramRun("int raise(int); int main(void) { raise(6); return 3; }").finish().kind, OutcomeKind::Aborted);
  EXPECT_EQ(ProgramRun("int raise(int); int main(void) { return raise(0) + 3; }").finish().exit_code, 3);
  EXPECT_NE(ProgramRun("int pause(void); int main(void) { pause(); return 3; }").finish().exit_code, 3);
}

TEST(InterpretInputs, BytesOfASemaphore) {
  const std::string begin =
      "typedef union { char size[32]; long align; } sem_t; int sem_trywait(sem_t *), sem_init(sem_t *, int, "
      "unsigned);\n"
      "sem_t s; int main(void) { ";
  EXPECT_EQ(ProgramRun(begin + "return sem_trywait(&s) == -1; }").finish().exit_code, 1);
  EXPECT_NE(unsupported(begin + "s.align = 1; return sem_trywait(&s) == -1; }"), "");
  EXPECT_EQ(ProgramRun(begin + "s.align = 5; sem_init(&s, 0, 1); return sem_trywait(&s) == 0; }").finish().exit_code,
            1);
  EXPECT_NE(unsupported(begin + "return sem_init(&s, 0, 4000000000u) == -1; }"), "");
}

TEST(InterpretInputs, ArgumentsThatAreRefused) {
  const std::string begin =
      "typedef union { char size[64]; long align; } attr; int pthread_attr_setdetachstate(attr *, int);\n"
      "int pthread_attr_setstacksize(attr *, unsigned long), pthread_mutexattr_settype(attr *, int);\n"
      "char *index(const char *, int); attr a; int main(void) { return ";
  EXPECT_EQ(ProgramRun(begin + "pthread_attr_setdetachstate(&a, 7); }").finish().exit_code, 22);
  EXPECT_EQ(ProgramRun(begin + "pthread_attr_setdetachstate(&a, 1); }").finish().exit_code, 0);
  EXPECT_EQ(ProgramRun(begin + "pthread_attr_setstacksize(&a, 100); }").finish().exit_code, 22);
  EXPECT_EQ(ProgramRun(begin + "pthread_attr_setstacksize(&a, 1 << 20); }").finish().exit_code, 0);
  EXPECT_EQ(ProgramRun(begin + "pthread_mutexattr_settype(&a, 42); }").finish().exit_code, 22);
  EXPECT_EQ(ProgramRun(begin + "index(\"ab\", 0) != 0; }").finish().exit_code, 1);
}

TEST(InterpretInputs, QuickExitHasHandlersOfItsOwn) {
  const char* begin =
      "int atexit(void (*)(void)), at_quick_exit(void (*)(void)), puts(const char *);\n"
      "void exit(int), quick_exit(int); void slow(void) { puts(\"slow\"); } void quick(void) { puts(\"quick\"); }\n"
      "int main(void) { atexit(slow); at_quick_exit(quick); ";
  ProgramRun slow(std::string(begin) + "exit(0); }"), quick(std::string(begin) + "quick_exit(4); }");
  slow.finish();
  EXPECT_EQ(slow.machine.output(), "slow\n");
  EXPECT_EQ(quick.finish().exit_code, 4);
  EXPECT_EQ(quick.machine.output(), "quick\n");
}

TEST(InterpretInputs, FilesThatNobodyCanKnow) {
  const std::string begin = "int open(const char *, int, ...); int main(void) { return open(";
  for (const char* name : {"/", "/dev/null", "/proc/self/maps", "a/", "..", "/nowhere/x"})
    EXPECT_TRUE(unsupported(begin + "\"" + name + "\", 0) >= 0; }").starts_with("file ")) << name;
  EXPECT_EQ(ProgramRun(begin + "\"\", 0) == -1; }").finish().exit_code, 1);
  ProgramRun removed(
      "int open(const char *, int, ...), unlink(const char *); int main(void) { unlink(\"a\");\n"
      "  return open(\"a\", 0) == -1; }");
  removed.chooser.answers = {1, 1};
  EXPECT_EQ(removed.finish().exit_code, 1);
}

TEST(InterpretInputs, UnknownInputEnds) {
  ProgramRun run(
      "typedef struct F F; extern F *stdin; long getline(char **, unsigned long *, F *);\n"
      "int main(void) { char *l = 0; unsigned long n = 0; int k = 0;\n"
      "  while (getline(&l, &n, stdin) > 0) k++; return k; }");
  run.chooser.answers = std::vector<std::uint64_t>(100'000, 65);
  EXPECT_EQ(run.finish().exit_code, 1);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::interpret
