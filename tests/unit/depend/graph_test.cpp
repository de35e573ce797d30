// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "tests/unit/depend/tree_of.h"

namespace heddle::depend {
namespace HEDDLE_TEST_FILE {

std::string tree(const std::string& code, const std::string& root, const std::string& toml = one_task()) {
  TestTree t(code, toml);
  return t.drawn(root);
}

TEST(DependenceGraph, AWriteHidesWhatIsOverwritten) {
  EXPECT_EQ(tree("int x, y;\nvoid task(void) {\n x = 1;\n x = 2;\n y = x; }", "y"),
            "y (L:5@task) (risk=0)\n└─ x (L:5@task)\n   └─ x (L:4@task)\n      └─ 2 (L:4@task)\n");
  EXPECT_EQ(tree("int x, y; void f(void) { x = 3; }\nvoid task(void) {\n x = 1;\n f();\n y = x; }", "y"),
            "y (L:5@task) (risk=0)\n└─ x (L:5@task)\n   └─ x (L:1@f)\n      └─ 3 (L:1@f)\n");
  // A part of it, and only sometimes.
  EXPECT_EQ(tree("struct { int p, q; } s; int y, c;\nvoid task(void) {\n s.p = 1;\n s.q = 2;\n y = s.p; }", "y"),
            "y (L:5@task) (risk=0)\n└─ s.p (L:5@task)\n   └─ s.p (L:3@task)\n      └─ 1 (L:3@task)\n");
  EXPECT_EQ(tree("int x, y, c;\nvoid task(void) {\n x = 1;\n if (c)\n x = 2;\n y = x; }", "y"),
            "y (L:6@task) (risk=0)\n└─ x (L:6@task)\n   ├─ x (L:3@task)\n   │  └─ 1 (L:3@task)\n"
            "   └─ x (L:5@task)\n      ├─ 2 (L:5@task)\n      └─ [if] (L:4@task)\n         └─ c (L:4@task)\n");
}

TEST(DependenceGraph, AnEarlierRun) {
  EXPECT_EQ(tree("int x, y;\nvoid task(void) {\n y = x;\n x = 1; }", "y"),
            "y (L:3@task) (risk=0)\n└─ x (L:3@task)\n   └─ x (L:4@task)\n      └─ 1 (L:4@task)\n");
  // Every run writes it first.
  EXPECT_EQ(tree("int x, y;\nvoid task(void) {\n x = 2;\n y = x;\n x = 1; }", "y"),
            "y (L:4@task) (risk=0)\n└─ x (L:4@task)\n   └─ x (L:3@task)\n      └─ 2 (L:3@task)\n");
}

TEST(DependenceGraph, ParametersAndResultsGoByCallPaths) {
  EXPECT_EQ(tree("int in1, in2, y, z;\nint twice(int v) {\n return v * 2; }\nvoid task(void) {\n y = twice(in1);\n"
                 " z = twice(in2); }",
                 "z"),
            "z (L:6@task) (risk=0)\n├─ v (L:3@twice)\n│  └─ v (L:2@twice)\n"
            "│     └─ in2 (L:6@task)\n└─ 2 (L:3@twice)\n");
  EXPECT_EQ(tree("int x, y; void set(int *p, int v) {\n *p = v; }\nvoid task(void) {\n set(&x, 7);\n y = x; }", "y"),
            "y (L:5@task) (risk=0)\n└─ x (L:5@task)\n   └─ x (L:2@set)\n      ├─ v (L:2@set)\n"
            "      │  └─ v (L:1@set)\n      │     └─ 7 (L:4@task)\n      └─ p (L:2@set)\n         └─ p (L:1@set)\n"
            "            └─ &x (L:4@task)\n");
}

TEST(DependenceGraph, RecursionEnds) {
  TestTree t("int x, y, c; void f(int n) {\n if (n) f(n - 1);\n x = n; }\nvoid task(void) {\n f(c);\n y = x; }",
             one_task());
  const std::string drawn = t.drawn("y");
  EXPECT_TRUE(drawn.contains("x (L:3@f)")) << drawn;
  EXPECT_TRUE(drawn.contains("c (L:5@task)")) << drawn;
}

TEST(DependenceGraph, ControlGoesOverCalls) {
  EXPECT_EQ(tree("int y, c; void set(void) {\n y = 1; }\nvoid task(void) {\n if (c)\n set(); }", "y"),
            "y (L:2@set) (risk=0)\n├─ 1 (L:2@set)\n└─ [if] (L:4@task)\n   └─ c (L:4@task)\n");
}

TEST(DependenceGraph, LoopsAndLocals) {
  EXPECT_EQ(tree("int y, n;\nvoid task(void) {\n int s = 0;\n while (s < n)\n s += 2;\n y = s; }", "y"),
            "y (L:6@task) (risk=0)\n└─ s (L:6@task)\n   ├─ s (L:4@task)\n   │  └─ 0 (L:4@task)\n   └─ s (L:5@task)\n"
            "      ├─ s (L:5@task)\n      │  ├─ s' (L:4@task)\n      │  └─ s' (L:5@task)\n      ├─ 2 (L:5@task)\n"
            "      └─ [while] (L:4@task)\n         ├─ s (L:4@task)\n         │  ├─ s' (L:4@task)\n"
            "         │  └─ s' (L:5@task)\n         └─ n (L:4@task)\n");
}

TEST(DependenceGraph, LocalVariablesInMemory) {
  EXPECT_EQ(tree("int y, in; void get(int *p) {\n *p = in; }\nvoid task(void) { int v;\n get(&v);\n y = v; }", "y"),
            "y (L:5@task) (risk=0)\n└─ v (L:5@task)\n   └─ *p (L:2@get)\n      ├─ p (L:2@get)\n"
            "      │  └─ p (L:1@get)\n      └─ in (L:2@get)\n");
  // A function without a body may write what it gets the address of.
  EXPECT_EQ(tree("int y; void get(int *p);\nvoid task(void) { int v;\n get(&v);\n y = v; }", "y"),
            "y (L:4@task) (risk=0)\n└─ v (L:4@task)\n   └─ v (L:3@task)\n");
}

TEST(DependenceGraph, WhatComesFromOutside) {
  EXPECT_EQ(tree("int y, c; int sensor(int);\nvoid task(void) {\n y = sensor(c) + 1; }", "y"),
            "y (L:3@task) (risk=0)\n├─ sensor() (L:3@task)\n│  └─ c (L:3@task)\n└─ 1 (L:3@task)\n");
}

TEST(DependenceGraph, InitialisationIsNoInterference) {
  const std::string code = "int x, y;\nvoid start(void) {\n x = 1; }\nvoid task(void) {\n y = x; }";
  EXPECT_EQ(tree(code, "y", one_task() + entry_table("start", "init")),
            "y (L:5@task) (risk=0)\n└─ x (L:5@task)\n   └─ x (L:3@start)\n      └─ 1 (L:3@start)\n");
  EXPECT_EQ(tree(code, "y", one_task() + entry_table("start", "interrupt")),
            "y (L:5@task) (risk=0)\n└─ x (L:5@task)\n   └─ ≪ x (L:3@start)\n      └─ 1 (L:3@start)\n");
}

TEST(DependenceGraph, InterferenceIsNotTransitive) {
  // The interrupt may have read what the task wrote before it read y, and nothing that it writes later.
  const std::string before = "int a, y, z;\nvoid task(void) {\n a = 1;\n z = y; }\nvoid isr(void) {\n y = a; }";
  EXPECT_EQ(tree(before, "z", task_and_isr()),
            "z (L:4@task) (risk=0)\n└─ y (L:4@task)\n   └─ ≪ y (L:6@isr)\n      └─ a (L:6@isr)\n"
            "         └─ ≪ a (L:3@task)\n            └─ 1 (L:3@task)\n");
  const std::string behind = "int a, y, z;\nvoid task(void) {\n z = y;\n a = 1; }\nvoid isr(void) {\n y = a; }";
  EXPECT_EQ(tree(behind, "z", task_and_isr()),
            "z (L:3@task) (risk=0)\n└─ y (L:3@task)\n   └─ ≪ y (L:6@isr)\n      └─ a (L:6@isr)\n");
}

TEST(DependenceGraph, AnEarlierRoundIsTheSameRun) {
  EXPECT_TRUE(tree("int a, y, z;\nvoid task(void) { for (;;) {\n z = y;\n a = 1; } }\nvoid isr(void) {\n y = a; }", "z",
                   task_and_isr())
                  .contains("≪ a (L:4@task)"));
}

TEST(DependenceGraph, PartsOfOneConditionAreOneStatement) {
  const std::string body = "int a, b, y; void step(void);\nvoid task(void) {\n while (a && b)\n y = 1; }";
  EXPECT_EQ(tree(body, "y"),
            "y (L:4@task) (risk=0)\n├─ 1 (L:4@task)\n└─ [while] (L:3@task)\n   ├─ a (L:3@task)\n   └─ b (L:3@task)\n");
}

TEST(CallPaths, EachWayToAFunctionIsOne) {
  TestTree t("void g(void) {} void f(void) { g(); g(); }\nvoid task(void) { f(); f(); }", one_task());
  const FunctionId g = t.made.program.find_function("g"), f = t.made.program.find_function("f");
  EXPECT_EQ(t.graph.paths().to(f, 0).size(), 2U);
  EXPECT_EQ(t.graph.paths().to(g, 0).size(), 4U);
  // Very many are one.
  TestTree many(
      "void h(void) {} void g(void) { h(); h(); } void f(void) { g(); g(); }\nvoid task(void) { f(); f(); f(); }",
      one_task());
  const auto& paths = many.graph.paths().to(many.made.program.find_function("h"), 0);
  ASSERT_EQ(paths.size(), 1U);
  EXPECT_TRUE(many.graph.paths()[paths[0]].is_any);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::depend
