// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs for machines other than the one the tests run on; without headers, which may be missing here.
#include "machine_fixture.h"

namespace heddle::interpret {
namespace HEDDLE_TEST_FILE {

/// What the program prints when it is compiled for `target`, or why it does not end well.
std::string outcome_for(const std::string& target, std::string_view text) {
  const frontend::ScratchFolder folder;
  const std::string declared = "int printf(const char *, ...); int vprintf(const char *, __builtin_va_list);\n";
  const auto program =
      frontend::read_sources({{folder.write("unit.c", declared + std::string(text)), {"--target=" + target}}}, {});
  if (!program) return program.error().message;
  ScriptedChooser chooser;
  Machine machine(*program, shipped_models(), {}, chooser);
  const RunOutcome& outcome = run_to_completion(machine, Scheduler::RoundRobin, 1);
  return outcome.kind == OutcomeKind::Exited ? machine.output() : outcome.what;
}

constexpr const char *x86_64 = "x86_64-linux-gnu", *i386 = "i386-linux-gnu", *aarch64 = "aarch64-linux-gnu";

TEST(InterpretTargets, LongDoubleIsTheTargets) {
  constexpr const char* text =
      "long double one = 1, three = 3; int main(void) { long double x = one / three; "
      "printf(\"%La %d %.25Lf\\n\", x, (int)sizeof x, x * 7); return 0; }";
  EXPECT_EQ(outcome_for(x86_64, text), "0xa.aaaaaaaaaaaaaabp-5 16 2.3333333333333333334778936\n");
  EXPECT_EQ(outcome_for(i386, text), "0xa.aaaaaaaaaaaaaabp-5 12 2.3333333333333333334778936\n");
  EXPECT_EQ(outcome_for(aarch64, text), "0x1.5555555555555555555555555555p-2 16 2.3333333333333333333333333\n");
}

TEST(InterpretTargets, PlainCharIsTheTargets) {
  constexpr const char* text = "int main(void) { char c = (char)200; printf(\"%d %d\\n\", c, c < 0); return 0; }";
  EXPECT_EQ(outcome_for(x86_64, text), "-56 1\n");
  EXPECT_EQ(outcome_for(i386, text), "-56 1\n");
  EXPECT_EQ(outcome_for(aarch64, text), "200 0\n");
}

TEST(InterpretTargets, AnInvalidOperationGivesTheTargetsNan) {
  constexpr const char* text =
      "double zero; float small; int main(void) { printf(\"%f %f\\n\", zero / zero, (double)(small / small)); return "
      "0; }";
  EXPECT_EQ(outcome_for(x86_64, text), "-nan -nan\n");
  EXPECT_EQ(outcome_for(aarch64, text), "nan nan\n");
}

TEST(InterpretTargets, OnlySomeTargetsFuseAProductAndASum) {
  constexpr const char* text =
      "double a = 0.1, b = 10, c = -1; int main(void) { printf(\"%a\\n\", a * b + c); return 0; }";
  EXPECT_EQ(outcome_for(x86_64, text), "0x0p+0\n");
  EXPECT_EQ(outcome_for(aarch64, text), "0x1p-54\n");
}

/// A struct with an alignment of 16 lies in two registers of x86_64 wherever they are, and at a multiple of 16 in
/// memory.
TEST(InterpretTargets, VariadicArgumentsLieAsTheTargetSays) {
  constexpr const char* text =
      "struct s { _Alignas(16) long a; long b; }; struct h { float a, b, c; }; struct q { long double v; };\n"
      "void f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); for (int i = 0; i < n; i++) {\n"
      "  int k = __builtin_va_arg(l, int); struct s s = __builtin_va_arg(l, struct s);\n"
      "  struct h h = __builtin_va_arg(l, struct h); struct q q = __builtin_va_arg(l, struct q);\n"
      "  double d = __builtin_va_arg(l, double); printf(\"%d %ld %ld %g %Lg %g|\", k, s.a, s.b, h.c, q.v, d); }\n"
      "  vprintf(\"%d %Lg %g\\n\", l); __builtin_va_end(l); }\n"
      "int main(void) { struct s s = {1, 2}; struct h h = {3, 4, 5}; struct q q = {6};\n"
      "  f(3, 7, s, h, q, 8., 9, s, h, q, 10., 11, s, h, q, 12., 13, 14.L, 15.); return 0; }";
  const std::string wanted = "7 1 2 5 6 8|9 1 2 5 6 10|11 1 2 5 6 12|13 14 15\n";
  for (const char* target : {x86_64, i386, aarch64}) EXPECT_EQ(outcome_for(target, text), wanted) << target;
}

TEST(InterpretTargets, WhatIsNotKnownOfATargetIsSaid) {
  constexpr const char* list =
      "int main(int n, char **v) { __builtin_va_list l, k; __builtin_va_copy(k, l); return 0; }";
  EXPECT_EQ(outcome_for("riscv64-linux-gnu", list), "va_list of the target riscv64-unknown-linux-gnu");
  constexpr const char* print = "int main(void) { printf(\"%Lf\", 1.0L); return 0; }";
  EXPECT_EQ(outcome_for("riscv64-linux-gnu", print), "long double of the target riscv64-unknown-linux-gnu");
  constexpr const char* sum = "long double x = 1; int main(void) { return x + x > 1; }";
  EXPECT_EQ(outcome_for("powerpc64le-linux-gnu", sum), "instruction");
  EXPECT_EQ(outcome_for("aarch64_be-linux-gnu", print), "a target with the most significant byte first");
}

TEST(InterpretTargets, BfloatIsNotHalf) {
  constexpr const char* text =
      "int main(void) { float f = 3.1459f; __bf16 b = (__bf16)f; _Float16 h = (_Float16)f; "
      "printf(\"%a %a\\n\", (double)(float)b, (double)h); return 0; }";
  EXPECT_EQ(outcome_for(x86_64, text), "0x1.92p+1 0x1.92cp+1\n");
  EXPECT_EQ(outcome_for(aarch64, text), "0x1.92p+1 0x1.92cp+1\n");
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::interpret
