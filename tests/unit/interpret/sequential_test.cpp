// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine_fixture.h"
#include "program/model/program_builder.h"

namespace heddle::interpret {
namespace HEDDLE_TEST_FILE {

OutcomeKind outcome_of(std::string_view text) {
  ProgramRun run(text);
  return run.finish().kind;
}

std::string what(std::string_view text) {
  ProgramRun run(text);
  const RunOutcome& outcome = run.finish();
  return outcome.kind == OutcomeKind::UndefinedBehaviour ? outcome.what : "no undefined behaviour";
}

/// main returns a op b at the given width, zero-extended to 32 bits.
int computed(BinaryOp op, std::uint64_t bits, std::uint64_t a, std::uint64_t b) {
  ProgramBuilder builder;
  const TypeId type = builder.int_type(bits), i32 = builder.int_type(32);
  FunctionBuilder& f = builder.function("main", i32, {});
  const Operand value = f.binary(op, builder.int_constant(type, a), builder.int_constant(type, b));
  f.ret(bits < 32 ? f.cast(CastOp::ZExt, value, i32) : bits > 32 ? f.cast(CastOp::Trunc, value, i32) : value);
  const Program program = builder.take();
  FixedChooser zeros;
  Machine machine(program, shipped_models(), {}, zeros);
  return run_to_completion(machine).exit_code;
}

TEST(Interpret, WrapsAtEveryWidth) {
  EXPECT_EQ(computed(BinaryOp::Add, 8, 250, 10), 4);
  EXPECT_EQ(computed(BinaryOp::Add, 1, 1, 1), 0);
  EXPECT_EQ(computed(BinaryOp::Mul, 7, 127, 127), 1);
  EXPECT_EQ(computed(BinaryOp::AShr, 5, 16, 4), 31);
  EXPECT_EQ(computed(BinaryOp::SDiv, 8, 0xf9, 2), 0xfd);
  EXPECT_EQ(computed(BinaryOp::SRem, 16, 0xfff9, 4) & 0xff, 0xfd);
  EXPECT_EQ(computed(BinaryOp::Sub, 64, 0, 1), 255);
  EXPECT_EQ(computed(BinaryOp::LShr, 64, 0x4200, 8), 0x42);
}

TEST(Interpret, RunsMainWithArgumentsAndGivesItsExitCode) {
  ProgramRun run("#include <stdio.h>\nint main(int n, char **v) { printf(\"%d %s\\n\", n, v[1]); return 7; }",
                 {.arguments = {"p", "hello"}});
  EXPECT_EQ(run.finish().kind, OutcomeKind::Exited);
  EXPECT_EQ(run.machine.outcome().exit_code, 7);
  EXPECT_EQ(run.machine.output(), "2 hello\n");
}

TEST(Interpret, GoesOnBehindTheLastInstructionOfItsBudget) {
  // Two registers change places in each round: to run a jump twice would change them back.
  for (const std::uint64_t budget : {1, 2, 3, 5}) {
    ProgramRun run(
        "int main(void) { int a = 1, b = 2; for (int i = 0; i < 3; i++) { int t = a; a = b; b = t; }"
        " return 10 * a + b; }");
    for (int i = 0; i < 1000 && run.machine.outcome().kind == OutcomeKind::Running; ++i) run.machine.step(0, budget);
    EXPECT_EQ(run.machine.outcome().kind, OutcomeKind::Exited) << budget;
    EXPECT_EQ(run.machine.outcome().exit_code, 21) << budget;
  }
}

TEST(Interpret, UsesTheDataModelOfTheProgram) {
  const char* text =
      "int main(void) { unsigned long x = ~0UL; return (int)sizeof(void *) * 10 + (int)sizeof x + (x + 1 == 0); }";
  ProgramRun narrow(text, {}, frontend::ilp32);
  ProgramRun wide(text, {}, {frontend::DataModel::Lp64});
  EXPECT_EQ(narrow.finish().exit_code, 45);
  EXPECT_EQ(wide.finish().exit_code, 89);
}

TEST(Interpret, RunsSixtyFourBitArithmeticAndVarargsOnIlp32) {
  ProgramRun run(R"(#include <stdarg.h>
    static long long sum(int n, ...) { va_list a; long long s = 0; va_start(a, n); while (n--) { s += va_arg(a, int); s += va_arg(a, long long); s += (long long)va_arg(a, double); } va_end(a); return s; }
    int main(void) { long long big = 1LL << 40; return (int)((sum(2, 1, big, 2.0, 3, -big, 4.0) << 1) / 2); })",
                 {}, frontend::ilp32);
  EXPECT_EQ(run.finish().exit_code, 10);
}

TEST(Interpret, ReportsMemoryErrors) {
  EXPECT_EQ(what("int a[4]; int main(void) { volatile int i = 4; return a[i]; }"),
            "read of 4 bytes at offset 16 of an object of 16 bytes");
  EXPECT_EQ(what("int main(void) { int *volatile p = 0; *p = 1; return 0; }"),
            "write of 4 bytes through a null pointer");
  EXPECT_EQ(what("#include <stdlib.h>\nint main(void) { int *p = malloc(4); *p = 1; free(p); return *p; }"),
            "read of 4 bytes after the memory was freed");
  EXPECT_EQ(what("#include <stdlib.h>\nint main(void) { int *p = malloc(4); free(p); free(p); return 0; }"),
            "memory is freed twice");
  EXPECT_EQ(what("#include <stdlib.h>\nint main(void) { int x; int *p = &x; free(p); return 0; }"),
            "an address is freed that was not allocated");
  EXPECT_EQ(what("int main(void) { char *p = (char *)\"abc\"; p[0] = 'x'; return 0; }"),
            "write of 1 bytes to constant memory");
  EXPECT_EQ(what("int main(void) { volatile int z = 0; return 5 / z; }"), "division by zero");
}

TEST(Interpret, ReportsUninitialisedValuesWhenTheyDecide) {
  EXPECT_EQ(what("int main(void) { int x[2]; volatile int *p = x; if (p[1]) return 1; return 0; }"),
            "a branch depends on an uninitialised value");
  EXPECT_EQ(what("int main(void) { int *x[2]; int *volatile *p = x; return *p[1]; }"),
            "an uninitialised value is used as an address");
  // Where address arithmetic overflows, nothing is known of the address: 2^60 * 16 is not 0.
  EXPECT_EQ(what("struct s { long a, b; } x[2]; int main(void) { volatile long n = 1l << 60; x[n].a = 1; return 0; }"),
            "an uninitialised value is used as an address");
  // Copying and masking is no use: bit-fields are written this way.
  EXPECT_EQ(outcome_of("struct s { unsigned a : 3, b : 5; }; int main(void) { struct s x, y; x.a = 2; y = x; return "
                       "y.a == 2 ? 0 : 1; }"),
            OutcomeKind::Exited);
}

TEST(Interpret, AsksAboutUninitialisedValuesOnRequest) {
  ProgramRun run("int main(void) { int x[2]; volatile int *p = x; if (p[1]) return 1; return 2; }",
                 {.uninitialised_is_choice = true});
  run.chooser.answers = {1};
  EXPECT_EQ(run.finish().exit_code, 1);
  EXPECT_EQ(run.chooser.asked.size(), 1U);
}

TEST(Interpret, NamesWhatItCannotDo) {
  ProgramRun run("int frobnicate(int); int main(void) { return frobnicate(1); }");
  EXPECT_EQ(run.finish().kind, OutcomeKind::Unsupported);
  EXPECT_NE(run.machine.outcome().what.find("frobnicate"), std::string::npos);
}

TEST(Interpret, NotesSignedOverflowAndGoesOn) {
  ProgramRun run("int main(void) { volatile int x = 0x7fffffff; x = x + 1; return x < 0; }");
  EXPECT_EQ(run.finish().exit_code, 1);
  ASSERT_EQ(run.machine.notes().size(), 1U);
  EXPECT_EQ(run.machine.notes()[0].kind, Note::Kind::SignedOverflow);
}

TEST(Interpret, AsksForNondeterministicValues) {
  ProgramRun run(
      "int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int); unsigned char __VERIFIER_nondet_uchar(void);\n"
      "int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 3); return x + "
      "__VERIFIER_nondet_uchar(); }");
  run.chooser.answers = {40, 0x102};
  EXPECT_EQ(run.finish().exit_code, 42);
  EXPECT_EQ(run.chooser.asked.size(), 2U);
  EXPECT_EQ(run.chooser.asked[1].bits, 8U);
}

TEST(Interpret, FalseAssumptionEndsTheRun) {
  EXPECT_EQ(outcome_of("int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int); int main(void) { "
                       "__VERIFIER_assume(__VERIFIER_nondet_int()); return 0; }"),
            OutcomeKind::Infeasible);
}

TEST(Interpret, StopsAtItsLimits) {
  ProgramRun endless("int main(void) { for (;;) ; }", {.max_instructions = 10'000});
  EXPECT_EQ(endless.finish().kind, OutcomeKind::CapReached);
  EXPECT_LE(endless.machine.instructions(), 10'000U);
  ProgramRun deep("int f(int n) { return f(n + 1) + 1; } int main(void) { return f(0); }", {.max_stack_depth = 500});
  EXPECT_EQ(deep.finish().kind, OutcomeKind::CapReached);
  ProgramRun greedy("#include <stdlib.h>\nint main(void) { for (;;) malloc(1 << 20); }", {.max_heap_bytes = 1 << 24});
  EXPECT_EQ(greedy.finish().what, "heap");
}

TEST(Interpret, CatchesCxxExceptions) {
  ProgramRun run(R"(extern "C" int printf(const char *, ...);
    struct Base { int v; Base(int x) : v(x) {} virtual ~Base() {} }; struct Derived : Base { Derived(int x) : Base(x) {} };
    struct Guard { ~Guard() { printf("guard "); } };
    static void f(int n) { Guard g; if (n == 1) throw Derived(5); if (n == 2) throw 7; if (n == 3) throw "text"; }
    int main() { int sum = 0;
      for (int i = 0; i < 4; i++) try { f(i); sum += 1; } catch (const Base &b) { sum += b.v * 10; } catch (int x) { sum += x; } catch (...) { sum += 100; }
      return sum; })",
                 {}, {}, "unit.cpp");
  const RunOutcome& outcome = run.finish();
  EXPECT_EQ(outcome.kind, OutcomeKind::Exited) << outcome.what;
  EXPECT_EQ(outcome.exit_code, 158);
  EXPECT_EQ(run.machine.output(), "guard guard guard guard ");
}

TEST(Interpret, UndoReturnsToTheMarkedState) {
  ProgramRun run(
      "#include <stdio.h>\n#include <stdlib.h>\nint g; int main(void) { int *p = malloc(4); *p = 3; g = *p; "
      "printf(\"x\"); free(p); return g; }");
  const ContentHash before = run.machine.state_hash().hash;
  const Machine::Mark start = run.machine.mark();
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(run.finish().exit_code, 3);
    EXPECT_EQ(run.machine.output(), "x");
    run.machine.undo_to(start);
    EXPECT_EQ(run.machine.state_hash().hash, before);
    EXPECT_EQ(run.machine.output(), "");
    EXPECT_EQ(run.global("g"), 0U);
    EXPECT_EQ(run.machine.instructions(), 0U);
  }
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::interpret
