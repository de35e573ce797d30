// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "frontend/scratch_source.h"

namespace heddle::frontend {
namespace HEDDLE_TEST_FILE {

TEST(Linking, UnitsShareSymbolsAndKeepTheirOwnInternalOnes) {
  const ScratchFolder folder;
  const std::string a =
      folder.write("a.c", "static int s; extern int f(void); int shared; int main(void) { return s++ + f(); }");
  const std::string b =
      folder.write("b.c", "static int s = 5; extern int shared; int f(void) { shared = s; return 0; }");
  const auto p = read_sources({{a, {}}, {b, {}}}, {});
  ASSERT_TRUE(p) << p.error().message;
  EXPECT_EQ(p->units, (std::vector<std::string>{a, b}));
  EXPECT_TRUE(p->functions[p->find_function("f")].has_body());
  EXPECT_EQ(std::ranges::count(p->globals, "s", &Global::source_name), 2);
  EXPECT_EQ(std::ranges::count(p->globals, "shared", &Global::name), 1);
}

TEST(Linking, ASymbolDefinedTwiceIsAnError) {
  const ScratchFolder folder;
  const std::string a = folder.write("a.c", "int twice(void) { return 1; }");
  const std::string b = folder.write("b.c", "int twice(void) { return 2; }");
  const auto p = read_sources({{a, {}}, {b, {}}}, {});
  ASSERT_FALSE(p);
  EXPECT_EQ(p.error().message, b + ": error: 'twice' is already defined in one of the files before it");
}

TEST(Bodies, OfInlineFunctionsSurviveInEveryDialect) {
  const Program c99 = read_text("int g; inline int f(void) { return g; } int main(void) { return f(); }");
  EXPECT_TRUE(c99.functions[c99.find_function("f")].has_body());
  const Program gnu89 = read_text(
      "int g; inline int f(void) { return g; } extern inline int h(void) { return g; }\n"
      "int main(void) { return f() + h(); }",
      "unit.i", ilp32);
  EXPECT_TRUE(gnu89.functions[gnu89.find_function("f")].has_body());
  EXPECT_TRUE(gnu89.functions[gnu89.find_function("h")].has_body());
  const Program kept =
      read_text("int g; __attribute__((noinline)) inline int f(void) { return g; } int main(void) { return f(); }");
  EXPECT_TRUE(kept.functions[kept.find_function("f")].has_body());
}

TEST(Bodies, AStrongDefinitionBeatsAnInlineOne) {
  const ScratchFolder folder;
  const std::string a = folder.write("a.c", "inline int f(void) { return 1; } int main(void) { return f(); }");
  const std::string b = folder.write("b.c", "int g; int f(void) { return g; }");
  const auto p = read_sources({{a, {}}, {b, {}}}, {});
  ASSERT_TRUE(p) << p.error().message;
  EXPECT_EQ(count_of(*p, "f", Opcode::Load), 1u);
}

TEST(Bodies, OfAliasesAndIfuncsAreFound) {
  const Program p = read_text(
      "int g; int real(void) { return g; } int other(void) __attribute__((alias(\"real\")));\n"
      "static int impl(int x) { return g + x; } static int (*pick(void))(int) { return impl; }\n"
      "int chosen(int) __attribute__((ifunc(\"pick\"))); int main(void) { return other() + chosen(1); }");
  EXPECT_NE(body_of(p, "main").find("call i32 @real()"), std::string::npos) << body_of(p, "main");
  EXPECT_NE(body_of(p, "chosen").find("@pick()"), std::string::npos);
}

TEST(Globals, ImagesHoldBytesAndRelocations) {
  const Program p = read_text(
      "int t[4] = {1, 2, 0x01020304}; int *mid = &t[2]; void f(void) {}\n"
      "struct { short a; void (*fn)(void); const char *s; } r = {7, f, \"hi\"}; char zero[1 << 30]; double d = 1.5;");
  const Global& t = p.globals[p.find_global("t")];
  EXPECT_EQ(t.size, 16u);
  EXPECT_EQ(std::vector(t.bytes.begin() + 8, t.bytes.begin() + 12), (std::vector<std::uint8_t>{4, 3, 2, 1}));
  const Global& mid = p.globals[p.find_global("mid")];
  ASSERT_EQ(mid.relocations.size(), 1u);
  EXPECT_EQ(mid.relocations.front().target, Operand::global(p.find_global("t")));
  EXPECT_EQ(mid.relocations.front().addend, 8);
  const Global& r = p.globals[p.find_global("r")];
  ASSERT_EQ(r.relocations.size(), 2u);
  EXPECT_EQ(r.bytes[0], 7);
  EXPECT_EQ(r.relocations[0].target, Operand::function(p.find_function("f")));
  EXPECT_TRUE(p.globals[p.find_global("zero")].bytes.empty());
  EXPECT_TRUE(p.functions[p.find_function("f")].is_address_taken);
}

TEST(Globals, ConstructorsRunByPriority) {
  const Program p = read_text(
      "int g; __attribute__((constructor)) static void late(void) { g = 1; }\n"
      "__attribute__((constructor(101))) static void early(void) { g = 2; }");
  ASSERT_EQ(p.constructors.size(), 2u);
  EXPECT_EQ(p.functions[p.constructors[0]].name, "early");
  EXPECT_EQ(p.functions[p.constructors[1]].name, "late");
  EXPECT_FALSE(p.functions[p.constructors[0]].is_address_taken);
}

TEST(Globals, ListsOfTheRuntimeAreConstructors) {
  const Program p = read_text(
      "int g; static void a(void) { g = 1; } static void b(void) { g = 2; } static void c(void) { g = 3; }\n"
      "__attribute__((constructor)) static void d(void) { g = 4; }\n"
      "__attribute__((section(\".init_array\"), used)) static void (*late)(void) = a;\n"
      "__attribute__((section(\".init_array.00102\"), used)) static void (*early[])(void) = {b, b};\n"
      "__attribute__((section(\".fini_array\"), used)) static void (*last)(void) = c;");
  ASSERT_EQ(p.constructors.size(), 4u);
  EXPECT_EQ(p.functions[p.constructors[0]].name, "b");
  EXPECT_EQ(p.functions[p.constructors[1]].name, "b");
  ASSERT_EQ(p.destructors.size(), 1u);
  EXPECT_EQ(p.functions[p.destructors[0]].name, "c");
  EXPECT_TRUE(p.unseen.empty());
}

TEST(Globals, WhatIsNoCodeHereIsTold) {
  const Program p = read_text(
      "__asm__(\".globl y\\n.set y, x\"); int x; extern int y; int z __attribute__((section(\"mine\")));\n"
      "extern int __start_mine[]; extern char _end[], elsewhere[];\n"
      "__attribute__((section(\".init_array\"), used)) static long number = 3;\n"
      "void *f(int i) { return i ? (void *)__start_mine : i > 1 ? (void *)_end : elsewhere + y; }");
  std::string all;
  for (const std::string_view what : p.unseen) all += std::string(what) + "\n";
  EXPECT_EQ(all,
            "assembly outside of functions: \".globl y .set y, x\"\n"
            "'number' in section .init_array is no function\n"
            "the linker decides where '__start_mine' lies\n"
            "the linker decides where '_end' lies\n");
}

TEST(OldC, IsReadAsGccReadsIt) {
  const Program p =
      read_text("f(a, b) int a; char *b; { return a + undeclared(b); }\nint *p = 4; main() { return f(1, \"x\"); }",
                "unit.i", ilp32);
  EXPECT_TRUE(p.functions[p.find_function("f")].has_body());
  EXPECT_FALSE(p.functions[p.find_function("undeclared")].is_address_taken) << "a direct call takes no address";
}

TEST(Cpp, ThreadsLambdasAndLocksEndAtLibraryCalls) {
  const Program p = read_text(
      "#include <mutex>\n#include <thread>\nstd::mutex m; int n;\n"
      "int main() { std::thread t([] { std::lock_guard<std::mutex> g(m); n++; }); t.join(); }",
      "unit.cpp");
  EXPECT_TRUE(p.find_function("pthread_mutex_lock").valid());
  EXPECT_TRUE(p.find_function("_ZNSt6thread4joinEv").valid());
  for (const Function& f : p.functions)
    for (const Instruction& i : f.instructions) EXPECT_NE(i.opcode, Opcode::Unsupported) << f.name;
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::frontend
