// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/models/embedded_models.h"
#include "api/reader/model_reader.h"
#include "interpret/library/natives.h"
#include "machine_fixture.h"

namespace heddle::interpret {
namespace HEDDLE_TEST_FILE {

/// How a run ended and why, in one line.
std::string ending(std::string_view text, MachineOptions options = {}, const std::string& name = "unit.c") {
  ProgramRun run(text, std::move(options), {}, name);
  const RunOutcome& outcome = run.finish();
  switch (outcome.kind) {
    case OutcomeKind::Exited: return "exit " + std::to_string(outcome.exit_code);
    case OutcomeKind::Unsupported: return "unsupported " + outcome.what;
    case OutcomeKind::UndefinedBehaviour: return outcome.what;
    default: return "other " + outcome.what;
  }
}

/// A model that is code takes the place of what a run does itself.
TEST(InterpretLibrary, WhatRunsDoThemselvesIsNoCodeOfAModel) {
  std::size_t functions = 0;
  for (const api::EmbeddedModel& model : api::embedded_models()) {
    if (!model.file.ends_with(".toml")) continue;
    const auto read = api::read_models(model.text, std::string(model.file));
    ASSERT_TRUE(read.has_value()) << read.error().message;
    for (const api::CodeRule& rule : read->code)
      for (const std::string& name : rule.functions) {
        ++functions;
        EXPECT_FALSE(find_native(name)) << name << " of " << model.file;
      }
  }
  EXPECT_GT(functions, 10U);
}

TEST(InterpretLibrary, VariablesWithoutADefinitionHaveNoContent) {
  EXPECT_EQ(ending("extern int missing; int main(void) { return missing; }"),
            "unsupported variable missing, which is not defined");
  EXPECT_EQ(ending("extern int missing[9]; int main(void) { missing[3] = 1; return 0; }"),
            "unsupported variable missing, which is not defined");
  EXPECT_EQ(ending("extern int missing[]; int *p = &missing[1]; int main(void) { return *p; }"),
            "unsupported variable missing, which is not defined");
  EXPECT_EQ(ending("extern _Thread_local int missing; int main(void) { return missing; }"),
            "unsupported variable missing, which is not defined");
  EXPECT_EQ(ending("extern int missing; int main(void) { return &missing == 0; }"), "exit 0");
  EXPECT_EQ(ending("extern int weak __attribute__((weak)); int main(void) { return &weak == 0 ? 3 : weak; }"),
            "exit 3");
  EXPECT_EQ(ending("void weak(void) __attribute__((weak)); int main(void) { if (weak) weak(); return 4; }"), "exit 4");
}

TEST(InterpretLibrary, StandardInputIsKnownOrAChoice) {
  const char* text =
      "#include <stdio.h>\nint main(void) { int c, n = 0; while ((c = getchar()) != EOF) n = n * 10 + (c - 'a'); "
      "return n; }";
  EXPECT_EQ(ending(text, {.input = "bca"}), "exit 120");
  EXPECT_EQ(ending(text, {.host = {.input = [] { return std::string("cb"); }}}), "exit 21");
  ProgramRun run(text);
  run.chooser.answers = {'b', 'd', 0, 'x'};  // zero ends it
  EXPECT_EQ(run.finish().exit_code, 13);
  EXPECT_EQ(run.chooser.asked.size(), 3U);
  EXPECT_EQ(run.chooser.asked[0].kind, ChoiceKind::Value);
  EXPECT_EQ(run.chooser.asked[0].source, "standard input");
}

TEST(InterpretLibrary, ScanfAsksForWholeValues) {
  const char* text =
      "#include <stdio.h>\nint main(void) { int a = 1, b = 2; int n = scanf(\"%d %d\", &a, &b); return n * 100 + a * "
      "10 + b; }";
  EXPECT_EQ(ending(text, {.input = "4 5"}), "exit 245");
  EXPECT_EQ(ending(text, {.input = "4 x"}), "exit 142");
  EXPECT_EQ(ending(text, {.input = ""}), "exit 168");  // -1
  ProgramRun both(text);
  both.chooser.answers = {0, 3, 4};
  EXPECT_EQ(both.finish().exit_code, 234);
  ProgramRun one(text);
  one.chooser.answers = {2, 3};
  EXPECT_EQ(one.finish().exit_code, 132);
}

TEST(InterpretLibrary, FilesAreWhatTheProgramWrote) {
  EXPECT_EQ(ending("#include <stdio.h>\nint main(void) { FILE *f = fopen(\"x\", \"w\"); fputs(\"AB\", f); fclose(f); f "
                   "= fopen(\"x\", "
                   "\"r\"); int c = fgetc(f); return c; }"),
            "exit 65");
  const char* reader =
      "#include <stdio.h>\nint main(void) { FILE *f = fopen(\"x\", \"r\"); if (!f) return 9; return fgetc(f); }";
  EXPECT_EQ(ending(reader), "exit 9");
  EXPECT_EQ(ending(reader, {.host = {.file = [](const std::string&) { return std::optional<std::string>("C"); }}}),
            "exit 67");
  ProgramRun chosen(reader);
  chosen.chooser.answers = {1, 'D'};
  EXPECT_EQ(chosen.finish().exit_code, 68);
  EXPECT_EQ(
      ending("#include <stdio.h>\nint main(void) { FILE *f = fopen(\"x\", \"w\"); fclose(f); return fputc(1, f); }"),
      "a stream that is closed is used");
}

TEST(InterpretLibrary, UndoTakesBackFilesAndInput) {
  ProgramRun run(
      "#include <stdio.h>\nint main(void) { FILE *f = fopen(\"x\", \"a\"); fputc(getchar(), f); long n = ftell(f); "
      "return (int)n; }",
      {.input = "ab"});
  const Machine::Mark start = run.machine.mark();
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(run.finish().exit_code, 1);
    run.machine.undo_to(start);
  }
}

TEST(InterpretLibrary, TheEnvironmentIsAChoice) {
  const char* text = "#include <stdlib.h>\nint main(void) { char *p = getenv(\"X\"); return p ? p[0] : 7; }";
  EXPECT_EQ(ending(text), "exit 7");
  ProgramRun set(text);
  set.chooser.answers = {3, 'q', 'r'};
  EXPECT_EQ(set.finish().exit_code, 'q');
  EXPECT_EQ(
      ending("#include <time.h>\nint main(void) { struct timespec a, b; clock_gettime(0, &a); clock_gettime(0, &b); "
             "return b.tv_sec > a.tv_sec || b.tv_nsec > a.tv_nsec; }"),
      "exit 1");
}

TEST(InterpretLibrary, PrintingAnUninitialisedValueIsANote) {
  ProgramRun run(
      "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { int *p = malloc(4); printf(\"%d\", *p); return 3; }");
  EXPECT_EQ(run.finish().exit_code, 3);
  ASSERT_EQ(run.machine.notes().size(), 1U);
  EXPECT_EQ(run.machine.notes()[0].kind, Note::Kind::Uninitialised);
}

TEST(InterpretLibrary, ReportsMisuseOfMemoryByTheLibrary) {
  EXPECT_EQ(ending("#include <string.h>\nint main(void) { char a[10] = \"abcdefgh\"; volatile int n = 5; memcpy(a + 2, "
                   "a, n); return 0; }"),
            "memcpy between areas that overlap");
  EXPECT_EQ(ending("#include <string.h>\nint main(void) { char a[10] = \"abcdefgh\"; volatile int n = 5; memmove(a + "
                   "2, a, n); return a[2]; }"),
            "exit 97");
  EXPECT_EQ(ending("#include <string.h>\nint main(void) { char a[3] = {'a', 'b', 'c'}; return (int)strlen(a); }"),
            "read of 1 bytes at offset 3 of an object of 3 bytes");
  EXPECT_EQ(ending("#include <string.h>\nint main(void) { char a[4], b[4] = \"abc\"; if (memcmp(a, b, 4)) return 1; "
                   "return 0; }"),
            "a branch depends on an uninitialised value");
  EXPECT_EQ(ending("int *f(void) { int x = 1; int *volatile p = &x; return p; } int main(void) { return *f(); }"),
            "read of 4 bytes in the frame of a function that has returned");
  EXPECT_EQ(ending("int main(void) { void (*volatile f)(void) = 0; f(); return 0; }"), "call of a null pointer");
}

TEST(InterpretLibrary, AllocationFailsOnRequest) {
  const char* c =
      "#include <stdlib.h>\nint main(void) { char *p = malloc(1), *q = calloc(1, 1), *r = realloc(p, 9); return !p + 2 "
      "* !q + 4 * !r; }";
  EXPECT_EQ(ending(c), "exit 0");
  ProgramRun run(c, {.allocation_failure = true});
  run.chooser.answers = {0, 1, 1};
  EXPECT_EQ(run.finish().exit_code, 6);
  ProgramRun cxx(
      "#include <new>\nint main() { try { delete new int(1); return 1; } catch (const std::bad_alloc &) { return 2; } "
      "}",
      {.allocation_failure = true}, {}, "unit.cpp");
  cxx.chooser.answers = {1};
  EXPECT_EQ(cxx.finish().exit_code, 2) << cxx.machine.outcome().what;
}

TEST(InterpretLibrary, ThrowsTheExceptionsOfTheLibrary) {
  EXPECT_EQ(ending("#include <string>\n#include <stdexcept>\nint main() { std::string s = \"abc\"; try { s.at(7); } "
                   "catch (const std::logic_error &e) { "
                   "return std::string(e.what()).find(\"7\") != std::string::npos ? 5 : 6; } return 0; }",
                   {}, "unit.cpp"),
            "exit 5");
  EXPECT_EQ(ending("#include <stdexcept>\nint main() { throw std::runtime_error(\"x\"); }", {}, "unit.cpp"),
            "other an exception that nobody catches");
}

TEST(InterpretLibrary, ArgumentListsAreHandedOnInBothDataModels) {
  const char* text =
      R"(typedef __builtin_va_list list; int vsnprintf(char *, __SIZE_TYPE__, const char *, list); int vsscanf(const char *, const char *, list); int puts(const char *);
    static void say(const char *f, ...) { char b[64]; list a, c; __builtin_va_start(a, f); __builtin_va_copy(c, a); vsnprintf(b, sizeof b, f, a); puts(b); vsnprintf(b, 9, f, c); puts(b); __builtin_va_end(a); __builtin_va_end(c); }
    static int scan(const char *s, const char *f, ...) { list a; __builtin_va_start(a, f); int n = vsscanf(s, f, a); __builtin_va_end(a); return n; }
    int main(void) { int a = 0; long long b = 0; double d = 0; say("%d %lld %s %.2f %c %ld", 1, 1LL << 40, "text", 2.5, 'x', 7L); int n = scan("3 4 5.5", "%d %lld %lf", &a, &b, &d); return n * 10 + a + (int)b + (int)d; })";
  for (const frontend::Options& model : {frontend::ilp32, frontend::Options{frontend::DataModel::Lp64}}) {
    ProgramRun run(text, {}, model);
    EXPECT_EQ(run.finish().exit_code, 42) << run.machine.outcome().what;
    EXPECT_EQ(run.machine.output(), "1 1099511627776 text 2.50 x 7\n1 109951\n");
  }
}

TEST(InterpretLibrary, StopsWhereTheLibraryWouldNotEnd) {
  EXPECT_EQ(ending("int f(int n) { return f(n + 1) + 1; } int main(void) { return f(0); }", {.max_stack_depth = 100}),
            "other stack depth");
  EXPECT_EQ(
      ending("#include <pthread.h>\nstatic void *w(void *p) { return p; } int main(void) { for (;;) { pthread_t t; "
             "pthread_create(&t, 0, w, 0); } }",
             {.max_threads = 50}),
      "other threads");
  EXPECT_EQ(ending("#include <stdio.h>\nint main(void) { FILE *f = fopen(\"x\", \"w\"); for (;;) "
                   "fputs(\"0123456789abcdef\", f); }",
                   {.max_heap_bytes = 1 << 16}),
            "other file size");
  EXPECT_EQ(ending("#include <stdio.h>\nint main(void) { for (;;) puts(\"0123456789abcdef\"); }",
                   {.max_heap_bytes = 1 << 16}),
            "other output");
}

TEST(InterpretLibrary, NamesWhatIsMissingOfTheCxxLibrary) {
  EXPECT_EQ(ending("#include <sstream>\nint main() { std::ostringstream s; s << 1; return 0; }", {}, "unit.cpp")
                .substr(0, 11),
            "unsupported");
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::interpret
