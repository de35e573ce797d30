// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which accesses get hooks, and that every shape of code survives: the module is verified behind the hooks.
#include "instrument/instrument.h"

#include <gtest/gtest.h>

#include "frontend/scratch_source.h"

namespace heddle::instrument {
namespace HEDDLE_TEST_FILE {

const api::ApiModels& models() {
  static const auto shipped = api::ApiModels::shipped();
  return *shipped;
}

InstrumentedUnit instrumented(const std::string& text, const HookOptions& options = {}, const char* name = "unit.c",
                              const std::vector<std::string>& flags = {}) {
  const frontend::ScratchFolder folder;
  const auto code = compile_to_bitcode({folder.write(name, text), flags}, {});
  EXPECT_TRUE(code.has_value()) << code.error().message;
  if (!code) return {};
  auto unit = instrument(*code, nullptr, models(), options);
  EXPECT_TRUE(unit.has_value()) << unit.error().message;
  if (!unit) return {};
  EXPECT_TRUE(
      unit->object.starts_with("\x7f"
                               "ELF"));
  return std::move(*unit);
}

/// Names that an object refers to or defines, also of sections: its string table holds them, or their ends.
bool mentions(const InstrumentedUnit& unit, const std::string& symbol) {
  return unit.object.find(symbol + '\0') != std::string::npos;
}

std::vector<std::string> paths(const InstrumentedUnit& unit) {
  std::vector<std::string> out;
  for (const AccessRow& row : unit.accesses.rows()) out.push_back(row.kind + " " + row.path);
  std::ranges::sort(out);
  return out;
}

using Texts = std::vector<std::string>;

TEST(Instrument, SharedMemoryIsHooked) {
  const auto unit = instrumented("int g, *p; void f(void) { g = *p; }");
  EXPECT_EQ(paths(unit), (Texts{"read *p", "read p", "write g"}));
  EXPECT_EQ(unit.counts.accesses, 3U);
}

TEST(Instrument, LocalsWhoseAddressStaysAreLeftAlone) {
  const std::string text = "int f(int i) { int a[4] = {1, 2, 3, 4}; a[i & 3] = 7; return a[0]; }";
  const auto some = instrumented(text);
  EXPECT_EQ(some.counts.accesses, 0U);
  EXPECT_GE(some.counts.left_alone, 2U);
  EXPECT_FALSE(mentions(some, "__heddle1_write"));
  const auto all = instrumented(text, {.hook_all = true});
  EXPECT_EQ(all.counts.accesses, some.counts.left_alone);
  EXPECT_TRUE(mentions(all, "__heddle1_write"));
}

TEST(Instrument, LocalsWhoseAddressEscapesAreHooked) {
  const auto unit =
      instrumented("int *g; void h(int *); int f(void) { int a = 1, b = 2; g = &a; h(&b); return a + b; }");
  EXPECT_EQ(paths(unit), (Texts{"call-free ", "call-write ", "read a", "read b", "write a", "write b", "write g"}));
}

/// A pointer that may lead to a local or to something shared is not private.
TEST(Instrument, AChoiceWithASharedSideIsHooked) {
  const auto unit =
      instrumented("int g; int f(int c) { int a[2] = {c, c}; int *p = c ? &a[1] : &g; *p = 3; return a[1]; }", {});
  EXPECT_TRUE(std::ranges::any_of(unit.accesses.rows(), [](const AccessRow& row) { return row.kind == "write"; }));
}

TEST(Instrument, ConstantsAreLeftAlone) {
  const auto unit =
      instrumented("static const int t[3] = {1, 2, 3}; extern const int u[3]; int f(int i) { return t[i] + u[i]; }");
  EXPECT_EQ(paths(unit), (Texts{"read u[i]"}));
}

TEST(Instrument, AtomicsAndFences) {
  const auto unit = instrumented(R"(
#include <stdatomic.h>
_Atomic int n;
int f(void) {
  int e = 1;
  atomic_thread_fence(memory_order_release);
  atomic_compare_exchange_weak(&n, &e, 2);
  return atomic_load(&n) + atomic_fetch_add(&n, 1);
})");
  for (const char* hook : {"__heddle1_atomic", "__heddle1_compared", "__heddle1_fence"})
    EXPECT_TRUE(mentions(unit, hook)) << hook;
  EXPECT_FALSE(mentions(instrumented("void f(void) { __atomic_signal_fence(5); }"), "__heddle1_fence"))
      << "it orders nothing between threads";
}

TEST(Instrument, LibraryCallsByTheirModels) {
  const auto unit = instrumented(R"(
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
char *a, *b;
void f(size_t n) {
  memcpy(a, b, n);
  strcpy(a, b);
  printf("%d %s\n", 3, a);
  qsort(a, n, 1, 0);
  free(b);
  strtol(a, 0, 10);
})",
                                 {}, "unit.c", {"-fno-builtin"});
  EXPECT_TRUE(mentions(unit, "__heddle1_call_read_string"));
  EXPECT_TRUE(mentions(unit, "__heddle1_call_write"));
  EXPECT_TRUE(mentions(unit, "__heddle1_call"));
  EXPECT_GE(unit.counts.library, 6U);
  EXPECT_TRUE(unit.counts.unknown.empty());
}

TEST(Instrument, AStringThatNeedNotEndIsCountedInFront) {
  const auto unit = instrumented("#include <string.h>\nchar *a; int f(size_t n) { return strncmp(a, a + 1, n); }");
  EXPECT_TRUE(mentions(unit, "strnlen"));
  EXPECT_TRUE(mentions(unit, "__heddle1_call_read"));
  EXPECT_FALSE(mentions(unit, "__heddle1_call_read_string"));
}

TEST(Instrument, WhatAModelCannotSayIsCounted) {
  const auto unit = instrumented(R"(
#include <stdio.h>
int x; char *text;
void nobody_knows(void);
void f(void) { sscanf(text, "%d", &x); printf("%.3s", text); nobody_knows(); __asm__ volatile("nop"); }
)");
  EXPECT_TRUE(unit.counts.unsaid.contains("printf")) << "the text may end at its precision";
  EXPECT_EQ(unit.counts.unsaid.size(), 2U);
  EXPECT_EQ(unit.counts.unknown.count("nobody_knows"), 1U);
  EXPECT_EQ(unit.counts.assembly, 1U);
}

TEST(Instrument, AFunctionOfTheProgramIsNoLibraryFunction) {
  const std::string text = "void free(void *); void f(void *p) { free(p); }";
  EXPECT_EQ(instrumented(text).counts.calls, 1U);
  EXPECT_EQ(instrumented(text, {.defined = {"free"}}).counts.calls, 0U);
}

TEST(Instrument, EndsOfBlocks) {
  const auto unit = instrumented("void h(int *); void f(int n) { while (n--) { int x = n; h(&x); } h(0); }");
  EXPECT_EQ(unit.counts.ends, 2U);  // with its block, and with the frame
  EXPECT_TRUE(mentions(unit, "__heddle1_end_of_life"));
}

TEST(Instrument, LocalsEndWithTheFrame) {
  EXPECT_EQ(instrumented("int *g; int f(void) { int a = 1; g = &a; return a; }").counts.ends, 1U);
  EXPECT_EQ(instrumented("int f(void) { int a = 1; return a; }").counts.ends, 0U);
  EXPECT_EQ(instrumented("int *g; int main(void) { int a = 1; g = &a; return a; }").counts.ends, 0U);
  // The copy belongs to the function, or to the one that calls it: there it ends twice, with the call and the frame.
  const std::string text = "struct s { int a[99]; } *g, h; void f(struct s s) { g = &s; } void k(void) { f(h); }";
  EXPECT_GE(instrumented(text).counts.ends, 1U);
}

TEST(Instrument, AssemblyMayTouchItsOperands) {
  const auto touched = instrumented("int g; void f(void) { __asm__ volatile(\"nop\" : \"+m\"(g)); }");
  EXPECT_GE(touched.counts.library, 1U);
  EXPECT_TRUE(mentions(touched, "__heddle1_call_write"));
  EXPECT_EQ(instrumented("int g; void f(void) { __asm__ volatile(\"\" : \"+m\"(g)); }").counts.library, 0U);
}

/// Nobody says how long the text is; but it goes to where g is.
TEST(Instrument, LengthsThatNobodySaysAreGuessed) {
  const auto unit =
      instrumented("int sprintf(char *, const char *, ...); char g[9]; void f(int n) { sprintf(g, \"%d\", n); }");
  EXPECT_TRUE(mentions(unit, "__heddle1_call_write"));
  EXPECT_EQ(unit.counts.unsaid.size(), 1U);
}

TEST(Instrument, MainGetsAnotherName) {
  const auto unit = instrumented("int main(void) { return 0; }");
  EXPECT_TRUE(mentions(unit, "__heddle1_main"));
  EXPECT_TRUE(mentions(unit, ".text.__heddle1_main"));
  EXPECT_FALSE(mentions(unit, ".text.main"));
  EXPECT_TRUE(mentions(instrumented("int f(void) { return 0; } int main(void) __attribute__((alias(\"f\")));"),
                       "__heddle1_main"));
}

TEST(Instrument, AliasesComeBack) {
  const auto unit = instrumented(R"(
int value; extern int other __attribute__((alias("value")));
int target(void) { return other; }
int second(void) __attribute__((weak, alias("target")));
static int inner(void) __attribute__((alias("target")));
int use(void) { return second() + inner(); })");
  for (const char* symbol : {"other", "second", "target", "value"}) EXPECT_TRUE(mentions(unit, symbol)) << symbol;
}

struct Shape {
  const char* name;
  const char* file;
  const char* text;
};

class Shapes : public testing::TestWithParam<Shape> {};

TEST_P(Shapes, StayValid) {
  for (const bool all : {false, true}) instrumented(GetParam().text, {.hook_all = all}, GetParam().file);
}

constexpr Shape shapes[] = {
    {"thread_local", "u.c", "_Thread_local int t; extern _Thread_local int e; int *f(void) { t = e; return &t; }"},
    {"setjmp", "u.c",
     "#include <setjmp.h>\njmp_buf b; int g; int f(void) { if (setjmp(b)) return g; g = 1; longjmp(b, 2); }"},
    {"varargs", "u.c",
     "#include <stdarg.h>\nint g; int f(int n, ...) { va_list l; va_start(l, n); while (n--) g += va_arg(l, int) + "
     "(int)va_arg(l, double); va_end(l); return g; } int h(void) { return f(1, 2, 3.0); }"},
    {"musttail", "u.c",
     "int g; int h(int n) { return g + n; } int f(int n) { g = n; __attribute__((musttail)) return h(n); }"},
    {"naked", "u.c", "__attribute__((naked)) void f(void) { __asm__(\"ret\"); }"},
    {"ifunc", "u.c",
     "int g; static int a(void) { return g; } static void *pick(void) { return (void *)a; } "
     "int f(void) __attribute__((ifunc(\"pick\"))); int h(void) { return f(); }"},
    {"asm_goto", "u.c", "int g; int f(int n) { g = n; __asm__ goto(\"\" : : : : out); return 1; out: return g; }"},
    {"module_asm", "u.c", "__asm__(\".globl bare\\nbare:\\n\"); int g; int f(void) { return g; }"},
    {"computed_goto", "u.c",
     "int g; int f(int n) { static void *t[] = {&&a, &&b}; goto *t[n & 1]; a: g++; goto *t[1]; b: return g; }"},
    {"variable_array", "u.c", "void h(char *); int f(int n) { for (;;) { char a[n]; h(a); if (a[0]) return a[1]; } }"},
    {"by_value", "u.c",
     "struct s { long a[9]; } x; void h(struct s); struct s f(struct s y) { h(x); h(y); return x; }"},
    {"bit_fields", "u.c",
     "struct s { int a : 3, b : 7; long long c : 40; } x; int f(void) { x.a++; x.c = 1; return x.b; }"},
    {"vectors", "u.c", "typedef float v __attribute__((vector_size(16))); v a, b; void f(void) { a += b; }"},
    {"wide", "u.c", "__int128 a; long double l; _Complex double c; void f(void) { a++; l *= 2; c *= c; }"},
    {"wide_atomics", "u.c",
     "struct s { long a, b; }; _Atomic struct s x; struct s f(void) { struct s y = x; x = y; return y; }"},
    {"constructors", "u.c",
     "int g; __attribute__((constructor)) void a(void) { g = 1; } __attribute__((destructor)) void b(void) { g = 2; }"},
    {"pure", "u.c",
     "int g; __attribute__((pure)) int h(void) { return g; } __attribute__((const)) int k(void); int f(void) { return "
     "h() + h() + k(); }"},
    {"always_inline", "u.c",
     "int g; static inline __attribute__((always_inline)) int h(int n) { return g + n; } int f(void) { return h(1) + "
     "h(2); }"},
    {"old_style_library", "u.c",
     "int strcpy(), sscanf(), free(), memcpy(); char *a, *b; int f() { memcpy(a); free(); sscanf(a, 1); return "
     "strcpy(a, b); }"},
    {"old_style", "u.c", "int h(); int f(p) int *p; { return h(p, 1) + h(); }"},
    {"weak", "u.c",
     "extern int w(void) __attribute__((weak)); extern int v __attribute__((weak)); int f(void) { return w ? w() + v : "
     "0; }"},
    {"phis", "u.c", "int *p, g; int f(int c) { int x = c && *p && g; return (c ? *p : g) + x; }"},
    {"main_calls_main", "u.c",
     "int g; int main(int c, char **v, char **e) { g = v == e; return c > 3 ? 0 : main(c + 1, v, e); }"},
    {"exceptions", "u.cpp",
     "struct S { int n; ~S(); }; int g; int h(S); int f() { try { S s{g}; return h(s); } catch (int e) { g = e; throw; "
     "} "
     "catch (...) { return g++; } }"},
    {"virtual", "u.cpp",
     "struct A { virtual int f() { return n; } int n; }; struct B : virtual A { int f() override { return n + 1; } }; "
     "int g(A *a) { return a->f() + B().f(); }"},
    {"statics", "u.cpp",
     "int h(); struct T { T() : n(h()) {} int n; }; thread_local T t; int f() { static T s; return s.n + t.n; }"},
    {"lambdas", "u.cpp",
     "int g; template <class F> int call(F f) { return f(2); } int f() { int k = g; return call([&](int n) { return k "
     "+= n; }); }"},
    {"members", "u.cpp", "struct S { int a, f(); } s; int f(int S::*p, int (S::*q)()) { return s.*p + (s.*q)(); }"},
};

INSTANTIATE_TEST_SUITE_P(Instrument, Shapes, testing::ValuesIn(shapes),
                         [](const auto& shape) { return std::string(shape.param.name); });

TEST(Instrument, Coroutines) {
  instrumented(R"(
#include <coroutine>
struct Task {
  struct promise_type {
    int value = 0;
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int n) { value = n; return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};
int g;
Task count(int n) { for (int i = 0; i < n; ++i) co_yield g += i; }
int main() { Task t = count(3); while (!t.handle.done()) t.handle.resume(); t.handle.destroy(); return g; }
)",
               {}, "u.cpp", {"-std=c++20"});
}

TEST(Instrument, CodeForAnotherMachineIsRefused) {
  const frontend::ScratchFolder folder;
  const auto code = compile_to_bitcode({folder.write("u.c", "int g;"), {"--target=riscv64-linux-gnu"}}, {});
  ASSERT_TRUE(code.has_value());
  const auto unit = instrument(*code, nullptr, models(), {});
  ASSERT_FALSE(unit.has_value());
  EXPECT_NE(unit.error().message.find("only programs for this machine"), std::string::npos) << unit.error().message;
}

TEST(Instrument, AssemblyThatIsNotUnderstoodIsAnError) {
  const frontend::ScratchFolder folder;
  const auto code = compile_to_bitcode({folder.write("u.c", "void f(void) { __asm__(\"no such thing\"); }"), {}}, {});
  ASSERT_TRUE(code.has_value());
  EXPECT_FALSE(instrument(*code, nullptr, models(), {}).has_value());
}

TEST(Instrument, DamagedBitcodeIsAnError) {
  EXPECT_FALSE(instrument({.name = "x", .bitcode = "BC no"}, nullptr, models(), {}).has_value());
}

TEST(Instrument, FunctionsTellWhereTheyStand) {
  EXPECT_TRUE(mentions(instrumented("_Atomic int g; void f(void) { while (!g); }"), "__heddle1_standing"));
  EXPECT_TRUE(mentions(instrumented("void f(void (*g)(void)) { g(); }"), "__heddle1_called_through"));
  EXPECT_FALSE(mentions(instrumented("void g(void) {} void f(void) { g(); }"), "__heddle1_called_through"));
}

TEST(Instrument, EveryKindOfValueHasANumber) {
  const std::string text =
      "struct p { long a; char b[3]; }; typedef int v __attribute__((vector_size(16))); struct p q(void); _Atomic int "
      "g;"
      "long f(__int128 i, double d, float e, long double l, v w, _Bool t, struct p s, char *c, int n) {"
      "  char few[7]; few[n] = 1; struct p r = q(); int many[n]; many[0] = 2;"
      "  while (g) c += n;"
      "  return (long)i + d + e + l + w[1] + t + s.a + *c + few[1] + r.b[2] + many[0]; }";
  EXPECT_TRUE(mentions(instrumented(text), "__heddle1_standing"));
}

TEST(Instrument, WhatALibraryKeepsLeavesATrace) {
  const auto leaves = [](const std::string& text) { return mentions(instrumented(text), "__heddle1_call_write"); };
  EXPECT_TRUE(leaves("int rand(void); int f(void) { return rand(); }"));
  EXPECT_TRUE(leaves("int foreign(void); int f(void) { return foreign(); }"));
  EXPECT_TRUE(leaves("int pthread_setspecific(unsigned, const void*); void f(void) { pthread_setspecific(1, 0); }"));
  EXPECT_FALSE(leaves("void* pthread_getspecific(unsigned); void* f(void) { return pthread_getspecific(1); }"));
  EXPECT_FALSE(leaves("int sched_yield(void); void f(void) { sched_yield(); }"));
  EXPECT_FALSE(leaves("unsigned long strlen(const char*); unsigned long f(char* s) { return strlen(s); }"));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::instrument
