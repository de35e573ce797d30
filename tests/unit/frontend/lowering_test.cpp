// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/scratch_source.h"

namespace heddle::frontend {
namespace HEDDLE_TEST_FILE {

TEST(FrontendLowering, LocalsAreValuesAndSharedAccessesStay) {
  const Program p = read_text("int g; void f(int *p) { int t = *p; g = t + 1; }");
  EXPECT_EQ(body_of(p, "f"), "b0:\n  %1 = load i32, %0\n  %2 = add nsw i32 %1, 1\n  store i32, %2, @g\n  return\n");
}

TEST(FrontendLowering, TheTrueSideOfABranchComesFirst) {
  const Program p = read_text("int g; void f(int c) { if (c) g = 1; else g = 2; }");
  EXPECT_EQ(body_of(p, "f"),
            "b0:\n  %1 = compare ne i1 %0, 0\n  cond_branch %1, b1, b2\n"
            "b1:\n  store i32, 1, @g\n  branch b3\n"
            "b2:\n  store i32, 2, @g\n  branch b3\n"
            "b3:\n  return\n");
}

TEST(FrontendLowering, ALoadStaysBehindItsGuard) {
  const Program p = read_text("int g, ready; int f(void) { int r = 0; if (ready) r = g; return r; }");
  const Function& f = p.functions[p.find_function("f")];
  ASSERT_EQ(f.blocks.size(), 3u);
  EXPECT_EQ(f.instructions_of(f.blocks[1]).front().opcode, Opcode::Load);
}

TEST(FrontendLowering, AReadWhoseResultIsUnusedStays) {
  const Program p =
      read_text("struct S { int x, y; } g; int h; int f(void) { int unused = h; struct S s = g; return s.x; }");
  EXPECT_EQ(count_of(p, "f", Opcode::Load) + count_of(p, "f", Opcode::MemCopy), 3u);
}

TEST(FrontendLowering, VolatileAndAtomicAccessesKeepTheirMarks) {
  const Program p = read_text(
      "#include <stdatomic.h>\nvolatile int v; atomic_int a;\n"
      "int f(void) { v = 1; atomic_fetch_add_explicit(&a, 2, memory_order_release);\n"
      "  int e = 0; atomic_compare_exchange_weak(&a, &e, 5); atomic_thread_fence(memory_order_acquire);\n"
      "  atomic_signal_fence(memory_order_seq_cst); return atomic_load_explicit(&a, memory_order_acquire); }");
  const std::string body = body_of(p, "f");
  EXPECT_NE(body.find("store volatile i32, 1, @v"), std::string::npos) << body;
  EXPECT_NE(body.find("atomic_rmw add release i32, @a, 2"), std::string::npos) << body;
  EXPECT_NE(body.find("load acquire i32, @a"), std::string::npos) << body;
  EXPECT_EQ(count_of(p, "f", Opcode::CmpXchg), 1u);
  EXPECT_EQ(count_of(p, "f", Opcode::Fence), 1u) << "a signal fence orders nothing between threads";
}

TEST(FrontendLowering, AddressArithmeticIsInBytes) {
  const Program p = read_text("struct S { char c; int a[3][5]; } s[7]; int f(int i, int j) { return s[i].a[2][j]; }");
  const Function& f = p.functions[p.find_function("f")];
  std::int64_t constant = 0;
  std::vector<std::int64_t> strides;
  for (const GepInfo& gep : f.geps) {
    constant += gep.constant_offset;
    strides.insert(strides.end(), gep.strides.begin(), gep.strides.end());
  }
  EXPECT_EQ(constant, 4 + 2 * 5 * 4);
  EXPECT_EQ(strides, (std::vector<std::int64_t>{64, 4}));
}

TEST(FrontendLowering, ConstantExpressionsBecomeInstructionsAlsoInPhis) {
  const Program p = read_text("int t[4]; int *f(int c, int *q) { return c ? q : &t[2]; }");
  const std::string body = body_of(p, "f");
  EXPECT_NE(body.find("gep inbounds @t + 8"), std::string::npos) << body;
  const Function& f = p.functions[p.find_function("f")];
  for (const Operand operand : f.operands)
    EXPECT_TRUE(operand.kind() != Operand::Kind::None) << "every operand is a value, a constant or a symbol";
}

TEST(FrontendLowering, ComputedGotosAreSwitches) {
  const Program p =
      read_text("int g; void f(int i) { static void *l[] = {&&x, &&y}; goto *l[i]; x: g = 1; return; y: g = 2; }");
  EXPECT_EQ(count_of(p, "f", Opcode::Switch), 1u);
  EXPECT_EQ(count_of(p, "f", Opcode::IndirectBranch) + count_of(p, "f", Opcode::Unsupported), 0u);
}

TEST(FrontendLowering, StructsPassedByValueAreByvalOnI386) {
  const Program p = read_text(
      "struct B { int a[10]; } g; int f(struct B b) { return b.a[3]; } int h(void) { return f(g); }", "unit.i", ilp32);
  EXPECT_EQ(p.layout.pointer_bits, 32u);
  const Function& f = p.functions[p.find_function("f")];
  ASSERT_EQ(f.byval.size(), 1u);
  EXPECT_EQ(f.byval.front().index, 0u);
  EXPECT_EQ(f.byval.front().bytes, 40u);
  const Function& h = p.functions[p.find_function("h")];
  ASSERT_EQ(h.calls.size(), 1u);
  ASSERT_EQ(h.calls.front().byval.size(), 1u);
  EXPECT_EQ(h.calls.front().byval.front().bytes, 40u);
}

TEST(FrontendLowering, AsmAndAsmGotoAreCalls) {
  const Program p = read_text(
      "int g; int f(int x) { __asm__ volatile(\"nop\" ::: \"memory\");\n"
      "  asm goto(\"\" : : : : out); g = 1; return x; out: g = 2; return 0; }");
  const Function& f = p.functions[p.find_function("f")];
  ASSERT_EQ(f.calls.size(), 2u);
  EXPECT_TRUE(f.calls[0].asm_text.starts_with("nop|")) << f.calls[0].asm_text;
  EXPECT_EQ(count_of(p, "f", Opcode::Switch), 1u) << "where asm goto goes is anybody's choice";
  EXPECT_EQ(count_of(p, "f", Opcode::Store), 2u);
}

TEST(FrontendLowering, ThreadLocalsAreUsedDirectly) {
  const Program p = read_text("static __thread int t; int f(void) { return t++; }");
  EXPECT_TRUE(p.globals[p.find_global("t")].is_thread_local);
  EXPECT_NE(body_of(p, "f").find("load i32, @t"), std::string::npos);
}

TEST(FrontendLowering, EveryBlockEndsInATerminatorAndTheHashIsSet) {
  const Program p = read_text(
      "int g; int f(int n) { int s = 0; for (int i = 0; i < n; i++) switch (g) { case 1: s++; break;\n"
      "  case 2: case 3: s--; default: continue; } while (1) { if (g) return s; } }");
  const Function& f = p.functions[p.find_function("f")];
  for (const Block& block : f.blocks) {
    ASSERT_GT(block.count, 0u);
    EXPECT_TRUE(f.instructions[block.first + block.count - 1].is_terminator());
  }
  EXPECT_NE(f.hash, ContentHash());
}

/// In the block that all ways out of the loop's body lead to, the phis of both variables belong to that body.
TEST(FrontendLowering, TheEndOfABlockComesBehindAllPhis) {
  const Program p = read_text(R"(
int spawn(char *);
char *find(char *, int);
int f(char *path, unsigned long l) {
  char *p, *z;
  int err = -1, seen = 0;
  for (p = path;; p = z) {
    char b[64];
    z = find(p, ':');
    if (!z) z = p + 5;
    if ((unsigned long)(z - p) >= l) {
      if (!*z++) break;
      continue;
    }
    b[z - p] = '/';
    do err = spawn(b); while (err == 4);
    switch (err) {
      case 13: seen = 1; break;
      case 2: case 20: break;
      default: return err;
    }
    if (!*z++) break;
  }
  return seen ? 13 : err;
})");
  EXPECT_NE(body_of(p, "f").find("lifetime.end"), std::string::npos) << body_of(p, "f");
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::frontend
