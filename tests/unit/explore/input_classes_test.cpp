// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/inputs/input_classes.h"

#include <gtest/gtest.h>

#include "frontend/scratch_source.h"
#include "pipeline/load.h"

namespace heddle::explore {
namespace HEDDLE_TEST_FILE {

using Values = std::vector<std::uint64_t>;

/// Of the only input of a program; nothing: there are none.
std::optional<Values> classes(const std::string& text, const std::string& file = "case.c") {
  const frontend::ScratchFolder folder;
  pipeline::Input input;
  const std::string prelude =
      "#ifdef __cplusplus\nextern \"C\" {\n#define _Bool bool\n#endif\n"
      "extern int __VERIFIER_nondet_int(void); extern unsigned char __VERIFIER_nondet_uchar(void);\n"
      "extern _Bool __VERIFIER_nondet_bool(void); extern void abort(void); extern void __VERIFIER_assume(int);\n"
      "#ifdef __cplusplus\n}\n#endif\n"
      "void only_if(int c) { if (!c) abort(); }\nint a[100], g; void f(void);\n#define INT __VERIFIER_nondet_int()\n";
  input.sources.push_back({folder.write(file, prelude + text), {}});
  const Result<Program> program = pipeline::load(input);
  const Result<api::ApiModels> models = pipeline::load_models(input);
  if (!program) throw std::runtime_error(program.error().message);
  const interpret::InputValues found = input_classes(*program, *models);
  EXPECT_LE(found.size(), 1U);
  return found.empty() ? std::nullopt : std::optional(found.begin()->second);
}

std::uint64_t number(int value) { return static_cast<std::uint32_t>(value); }

/// One value of each part that `marks` cut the numbers into, at least.
void expect_a_value_between(const std::string& text, std::vector<int> marks) {
  const std::optional<Values> found = classes(text);
  ASSERT_TRUE(found) << text;
  for (const int mark : marks) {
    EXPECT_TRUE(std::ranges::count(*found, number(mark))) << mark << ": " << text;
    EXPECT_TRUE(std::ranges::any_of(*found, [&](auto v) { return static_cast<std::int32_t>(v) < mark; })) << text;
  }
  EXPECT_LT(found->size(), 20U) << text;
}

TEST(InputClasses, ANumberThatIsComparedHasAValueOnEachSide) {
  expect_a_value_between("int main(void) { if (INT < 42) f(); }", {42});
  expect_a_value_between("int main(void) { if (INT <= 41) f(); }", {42});
  expect_a_value_between("int main(void) { int n = INT; if (n > -7 && n != 12) f(); }", {-6, 12, 13});
  expect_a_value_between("int main(void) { long n = INT; if (n < -5) f(); }", {-5});
  expect_a_value_between("int main(void) { int n = INT; switch (n) { case 3: f(); break; case 9: g = 1; } }",
                         {3, 4, 9});
}

TEST(InputClasses, ConstantsThatWereAddedMoveTheSides) {
  expect_a_value_between("int main(void) { if ((unsigned)INT - 3U < 7U) f(); }", {3, 10});
  expect_a_value_between("int main(void) { if (INT + 5 == 11) f(); }", {6, 7});
}

TEST(InputClasses, AllValuesThatTestsLeaveWhereItIsUsed) {
  for (const std::string assumption :
       {"only_if(0 <= n && n < 10);", "__VERIFIER_assume(n >= 0 && n < 10);",
        "if (n < 0) return 0; if (n >= 10) abort();", "if (n & 0x80000000 || n > 9) n = 3;"}) {
    const std::optional<Values> found = classes("int main(void) { int n = INT; " + assumption + " a[n] = 1; }");
    if (!found) {
      EXPECT_TRUE(assumption.contains("&")) << assumption;
      continue;
    }
    for (int value = 0; value < 10; ++value)
      EXPECT_TRUE(std::ranges::count(*found, number(value))) << assumption << value;
    EXPECT_GT(found->size(), 10U);
    EXPECT_LT(found->size(), 20U);
  }
}

TEST(InputClasses, TooManyValuesAreNone) {
  EXPECT_FALSE(classes("int main(void) { int n = INT; if (n > 3) g = n; }"));
  EXPECT_FALSE(classes("int main(void) { int n = INT; if (n >= 0 && n < 100) a[n] = 1; }"));
  EXPECT_FALSE(classes("int main(void) { int n = INT; for (int i = 0; i < n; i++) f(); }"));
  EXPECT_FALSE(classes("int main(void) { int n = INT; if (n % 2) f(); }"));
  EXPECT_FALSE(classes("int main(void) { if (INT < g) f(); }"));
  EXPECT_FALSE(classes("int h(int n) { return n; } int main(void) { int n = INT; if (n > 3) g = h(n); }"));
  EXPECT_FALSE(classes("int main(void) { int n = INT; if (g) n = 5; if (n == 3) f(); }")) << "it meets another one";
}

TEST(InputClasses, ANumberThatNobodyComparesNeedsNone) {
  EXPECT_FALSE(classes("int main(void) { g = INT; }"));
  EXPECT_FALSE(classes("int main(void) { INT; }"));
}

TEST(InputClasses, ItIsFollowedIntoFunctionsAndThroughMerges) {
  expect_a_value_between("void h(int n) { if (n == 17) f(); } int main(void) { h(INT); }", {17, 18});
  expect_a_value_between("int main(void) { int n = 0; if (g) n = INT; if (n > 5) f(); }", {6});
  const std::optional<Values> loop =
      classes("int main(void) { int n = INT; only_if(n >= 0); while (n < 10) { a[n] = 1; n++; } }");
  ASSERT_TRUE(loop);
  for (int value = 0; value < 10; ++value) EXPECT_TRUE(std::ranges::count(*loop, number(value)));
}

/// In the next round `old` is what the call before gave: it may be 3 whatever the number is now.
TEST(InputClasses, TheResultOfAnEarlierCallIsAnotherNumber) {
  EXPECT_FALSE(classes("int main(void) { int old = 0; for (;;) { int n = INT; if (old == 3) g = n; old = n; } }"));
  EXPECT_FALSE(classes("int main(void) { int was = 0; for (;;) { int n = INT; if (was) g = n; was = n == 3; } }"));
  EXPECT_FALSE(classes("int main(void) { int old = 0; for (;;) { int n = INT; if (old == 3) f(); old = n; } }"));
}

TEST(InputClasses, WhatCatchesAnExceptionIsReached) {
  const std::string checks = "extern \"C\" int nondet(void); void check(bool c) { if (!c) throw 1; }\n";
  const auto with = [&](const std::string& caught) {
    return classes(checks + "int main() { int n = nondet(); try { check(n < 5); } catch (int) { " + caught + " } }",
                   "case.cpp");
  };
  EXPECT_FALSE(with("g = n;"));
  EXPECT_TRUE(with("g = 1;"));
}

TEST(InputClasses, SmallTypesHaveAllTheirValues) {
  EXPECT_EQ(classes("int main(void) { g = __VERIFIER_nondet_bool(); }"), (Values{0, 1}));
  EXPECT_FALSE(classes("int main(void) { g = __VERIFIER_nondet_uchar(); }"));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::explore
