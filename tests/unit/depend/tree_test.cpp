// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The figures of DFORCE (Wang, Matsubara). Of 1 to 5 the paper prints no source: the programs are ours.
#include <gtest/gtest.h>

#include "tests/unit/depend/tree_of.h"

namespace heddle::depend {
namespace HEDDLE_TEST_FILE {

const std::string figure6 =
    "int x1, x2, a, b, c;\nint DI0;\nint errflg;\nint main(void){\n x1=a+1;\n x2=b+1;\n if (x1!=x2){\n  errflg=1;\n }\n"
    " return 0; }\nvoid calc(void){\n c=DI0;\n a=c*2;\n b=c+c;\n}\n";

const std::string figure10 =
    "int a, b, c, x, x1, x2;\nint DI0;\nunsigned char errflg=0;\n\nvoid calc1(void);\nvoid calc2(void);\n"
    "void input(void);\n\nvoid func(){\n calc1();\n calc2();\n if (x1 !=c || x2!=c) {\n errflg=1;\n }\n else {\n "
    "x=x1;\n }\n}\n\nvoid calc1(){\n x1=a*2;\n b=x1;\n}\n\nvoid calc2(){\n x2=a<<1;\n b=x2;\n}\n\nvoid input(){\n "
    "a=DI0;\n}\n";

const std::string tasks = entry_table("func", "task", "priority = 1") + entry_table("input", "task", "priority = 2");

TEST(GoalTree, Figure1TwoReadingsOfOneVariable) {
  TestTree t("int var, y, in;\nvoid task(void) {\n int k = var;\n y = k - var; }\nvoid isr(void) {\n var = in; }",
             task_and_isr());
  EXPECT_EQ(t.found("y"), "var<R#3>,<W#6>,<R#4> below y (L:4@task)\n");
}

TEST(GoalTree, Figure2ARedundantPair) {
  const std::string code =
      "int var1, var2, bad, in;\nvoid task(void) {\n int k = var1;\n if (k != var2)\n  bad = 1; }\nvoid isr(void) {\n "
      "var1 = in;\n var2 = in; }";
  TestTree t(code, task_and_isr() + "[system]\nredundant = [[\"var1\", \"var2\"]]\n");
  EXPECT_EQ(t.found("bad"), "var1/var2<R#3>,<W#7>,<R#4> var1/var2<R#3>,<W#8>,<R#4> below [if] (L:4@task)\n");
  // Nothing says that they hold the same, and they are made of two readings of an input.
  TestTree apart(code, task_and_isr());
  EXPECT_EQ(apart.found("bad"), "");
}

TEST(GoalTree, Figure3And4WhatTwoDependOnStaysLeft) {
  TestTree t("int s, a, b, d, e;\nvoid task(void) {\n d = e;\n a = d;\n b = d;\n s = a + b; }", one_task());
  EXPECT_EQ(t.drawn("s"),
            "s (L:6@task) (risk=0)\n"
            "├─ a (L:6@task)\n"
            "│  └─ a (L:4@task)\n"
            "│     └─ d (L:4@task)\n"
            "│        └─ d (L:3@task)\n"
            "│           └─ e (L:3@task)\n"
            "└─ b (L:6@task)\n"
            "   └─ b (L:5@task)\n"
            "      └─ d (L:5@task)\n"
            "         └─ d' (L:3@task)\n");
}

TEST(GoalTree, Figure5InterferenceOnTwoPaths) {
  TestTree t(
      "int s, l, r, var, in;\nvoid task(void) {\n l = var;\n r = var;\n s = l + r; }\nvoid isr(void) {\n var = in; }",
      task_and_isr());
  EXPECT_EQ(t.drawn("s"),
            "=ic1= s (L:5@task) (risk=1)\n"
            "├─ l (L:5@task)\n"
            "│  └─ l (L:3@task)\n"
            "│     └─ =rd1= var (L:3@task)\n"
            "│        └─ =wo1= ≪ var (L:7@isr)\n"
            "│           └─ in (L:7@isr)\n"
            "└─ r (L:5@task)\n"
            "   └─ r (L:4@task)\n"
            "      └─ =rd1= var (L:4@task)\n"
            "         └─ =wo1= ≪ var' (L:7@isr)\n");
  // One path: one read and one write are left out.
  EXPECT_EQ(t.drawn("l"), "l (L:3@task) (risk=0)\n└─ var (L:3@task)\n   └─ ≪ var (L:7@isr)\n      └─ in (L:7@isr)\n");
}

TEST(GoalTree, Figure6TheSameInformationFurtherDown) {
  TestTree t(figure6, entry_table("main", "main") + entry_table("calc", "interrupt"));
  EXPECT_EQ(t.drawn("errflg"),
            "errflg (L:8@main) (risk=1)\n"
            "├─ 1 (L:8@main)\n"
            "└─ =ic1= [if] (L:7@main)\n"
            "   ├─ x1 (L:7@main)\n"
            "   │  └─ x1 (L:5@main)\n"
            "   │     ├─ =rd1= a (L:5@main)\n"
            "   │     │  └─ =wo1= ≪ a (L:13@calc)\n"
            "   │     │     ├─ c (L:13@calc)\n"
            "   │     │     │  └─ c (L:12@calc)\n"
            "   │     │     │     └─ DI0 (L:12@calc)\n"
            "   │     │     └─ 2 (L:13@calc)\n"
            "   │     └─ 1 (L:5@main)\n"
            "   └─ x2 (L:7@main)\n"
            "      └─ x2 (L:6@main)\n"
            "         ├─ =rd1= b (L:6@main)\n"
            "         │  └─ =wo1= ≪ b (L:14@calc)\n"
            "         │     ├─ c (L:14@calc)\n"
            "         │     │  └─ c' (L:12@calc)\n"
            "         │     └─ c (L:14@calc)\n"
            "         │        └─ c' (L:12@calc)\n"
            "         └─ 1 (L:6@main)\n");
  const SearchedTree one = t.searched("errflg");
  ASSERT_EQ(one.findings.size(), 1U);
  EXPECT_EQ(words_of(t.graph, t.labels, one.tree, one.findings[0]).source, "c (L:12@calc)");
}

TEST(GoalTree, Figure10And11) {
  TestTree t(figure10, tasks);
  EXPECT_EQ(t.drawn("x"),
            "=ic1= x (L:16@func) (risk=1)\n"
            "├─ x1 (L:16@func)\n"
            "│  └─ x1 (L:21@calc1)\n"
            "│     ├─ =rd1= a (L:21@calc1)\n"
            "│     │  └─ =wo1= ≪ a (L:31@input)\n"
            "│     │     └─ DI0 (L:31@input)\n"
            "│     └─ 2 (L:21@calc1)\n"
            "└─ [if] (L:12@func)\n"
            "   ├─ x1 (L:12@func)\n"
            "   │  └─ x1' (L:21@calc1)\n"
            "   ├─ c (L:12@func)\n"
            "   ├─ x2 (L:12@func)\n"
            "   │  └─ x2 (L:26@calc2)\n"
            "   │     ├─ =rd1= a (L:26@calc2)\n"
            "   │     │  └─ =wo1= ≪ a' (L:31@input)\n"
            "   │     └─ 1 (L:26@calc2)\n"
            "   └─ c (L:12@func)\n");
  EXPECT_EQ(t.found("x"), "a<R#21>,<W#31>,<R#26> below x (L:16@func)\n");
}

TEST(GoalTree, AFindingSaysWhatToDo) {
  TestTree t(figure10, tasks);
  const SearchedTree one = t.searched("x");
  ASSERT_EQ(one.findings.size(), 1U);
  const FindingWords words = words_of(t.graph, t.labels, one.tree, one.findings[0]);
  EXPECT_EQ(words.title, "two reads of 'a' may find different values");
  EXPECT_EQ(words.interval, "func, from line 10 to line 11");
  ASSERT_EQ(words.interferences.size(), 2U);
  EXPECT_EQ(words.interferences[1].own + " " + words.interferences[1].other, "a (L:26@calc2) a (L:31@input)");
  ASSERT_EQ(words.entries.size(), 1U);
  EXPECT_EQ(words.entries[0], "'func' (task, priority 1), interrupted by 'input' (task, priority 2)");
  EXPECT_TRUE(words.fix.contains("read 'a' once") &&
              words.fix.contains("mask 'input' in func from line 10 to line 11"));
}

TEST(GoalTree, ThePriorityCheckAndTheRealityCheck) {
  TestTree equal(figure10, entry_table("func", "task", "priority = 1") + entry_table("input", "task", "priority = 1"));
  EXPECT_EQ(equal.found("x"), "");
  TestTree excluded(figure10, tasks + "[[exclusion]]\nentries = [\"func\", \"input\"]\nreason = \"never together\"\n");
  EXPECT_EQ(excluded.found("x"), "");
  // It is a dependence all the same, and no interference.
  EXPECT_TRUE(excluded.drawn("x").contains("└─ a (L:31@input)"));
}

TEST(GoalTree, Figure12APointerIsWhatItLeadsTo) {
  TestTree t(
      "int a;\nvoid calc(int *pt);\nint main(void){\n a=0;\n calc(&a);\n return 0; }\nvoid calc(int *pt){\n "
      "*pt=3;\n}\n",
      entry_table("main", "main") + entry_table("calc", "interrupt"));
  EXPECT_EQ(t.drawn("a"),
            "a (risk=0)\n"
            "├─ a (L:4@main)\n"
            "│  └─ 0 (L:4@main)\n"
            "├─ a (L:8@calc)\n"
            "│  ├─ 3 (L:8@calc)\n"
            "│  └─ pt (L:8@calc)\n"
            "│     └─ pt (L:7@calc)\n"
            "│        └─ &a (L:5@main)\n"
            "└─ a (L:8@calc)\n"
            "   ├─ 3 (L:8@calc)\n"
            "   └─ pt (L:8@calc)\n"
            "      └─ pt (L:7@calc)\n"
            "         └─ &a (L:5@main)\n");
}

TEST(GoalTree, SynchronisationCountsUnlessItIsNotAskedFor) {
  TestTree t(
      "int x, y, in; void off(void); void on(void);\nvoid task(void) { off();\n int k = x;\n y = k + x; on(); }\n"
      "void isr(void) {\n x = in; }",
      task_and_isr() + "[[mask]]\ndisable = \"off\"\nenable = \"on\"\n");
  EXPECT_EQ(t.found("y"), "");
  EXPECT_EQ(t.found("y", false), "x<R#3>,<W#6>,<R#4> below y (L:4@task)\n");
}

TEST(GoalTree, OnlyWhatMeetsBelowTheRootCounts) {
  TestTree t("int x, y, z, in;\nvoid task(void) {\n y = x;\n z = x; }\nvoid isr(void) {\n x = in; }", task_and_isr());
  EXPECT_EQ(t.found("y"), "");
  EXPECT_EQ(t.found("z"), "");
}

TEST(GoalTree, TheOtherOrders) {
  TestTree lost("int x, y, in;\nvoid task(void) {\n x = x + 1; }\nvoid isr(void) {\n x = in; }", task_and_isr());
  EXPECT_EQ(lost.found("x@task"), "x<R#3>,<W#5>,<W#3> below x (L:3@task)\n");
  TestTree other("int x, y, in;\nvoid task(void) {\n x = in;\n y = x; }\nvoid isr(void) {\n x = 2; }", task_and_isr());
  EXPECT_EQ(other.found("y"), "x<W#3>,<W#6>,<R#4> below x (L:4@task)\n");
  TestTree half("int x, y, in;\nvoid task(void) {\n x = in;\n x = 2; }\nvoid isr(void) {\n y = x; }", task_and_isr());
  EXPECT_EQ(half.found("y"), "x<W#3>,<R#6>,<W#4> below x (L:6@isr)\n");
}

TEST(GoalTree, LinesCountOnceWhicheverOfTheirAccessesFeedTheRoot) {
  TestTree t("int x, y, z, in;\nvoid task(void) {\n y = x; z = x + x * x; }\nvoid isr(void) {\n x = in; }",
             task_and_isr());
  EXPECT_EQ(t.found("z"), "x<R#3>,<W#5>,<R#3> below z (L:3@task)\n");
  EXPECT_EQ(t.found("y"), "");
}

TEST(GoalTree, LimitsCutAndCount) {
  TestTree t(figure10, tasks);
  TreeLimits shallow;
  shallow.depth = 1;
  EXPECT_EQ(t.drawn("x", shallow),
            "x (L:16@func) (risk=0)\n├─ x1 (L:16@func) … 1 more cut\n└─ [if] (L:12@func) … 4 more cut\n"
            "cut: 5 branches were not followed\n");
  TreeLimits few;
  few.nodes = 4;
  const SearchedTree one = t.searched("x", few);
  EXPECT_LE(one.tree.nodes.size(), 4U);
  EXPECT_GT(one.tree.cut, 0U);
  TreeLimits late;
  late.until = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  EXPECT_TRUE(t.searched("x", late).tree.is_out_of_time);
}

TEST(GoalTree, StartTree) {
  TestTree t(figure10, tasks);
  EXPECT_EQ(t.start("x2"),
            "x2 (L:26@calc2)\n"
            "├─ x2 (L:12@func)\n"
            "│  └─ [if] (L:12@func)\n"
            "│     ├─ errflg (L:13@func)\n"
            "│     └─ x (L:16@func)\n"
            "└─ x2 (L:27@calc2)\n"
            "   └─ b (L:27@calc2)\n");
  EXPECT_TRUE(t.start("a").starts_with("≪ a (L:31@input)\n├─ a (L:21@calc1)\n"));
  EXPECT_TRUE(t.start("DI0").starts_with("DI0 (L:31@input)\n└─ ≪ a (L:31@input)\n"));
}

TEST(GoalTree, Slice) {
  TestTree t(figure10, tasks);
  const std::string slice = slice_text(t.labels, t.searched("x@16").tree);
  std::string lines;
  for (std::size_t at = slice.find("unit.c:"); at != std::string::npos; at = slice.find("unit.c:", at + 1))
    lines += slice.substr(at + 7, slice.find('\n', at) - at - 7) + " ";
  EXPECT_EQ(lines, "12 16 21 26 31 ");
}

TEST(Roots, ByNameAndPlace) {
  TestTree t(
      "struct { int p, q; } s; int x, y;\nvoid task(void) {\n s.p = 1;\n s.q = x;\n int k = x;\n x = k;\n y = k; }",
      one_task());
  EXPECT_EQ(t.drawn("s.q"),
            "s.q (L:4@task) (risk=0)\n└─ x (L:4@task)\n   └─ x (L:6@task)\n      └─ k (L:6@task)\n"
            "         └─ k (L:5@task)\n            └─ x (L:5@task)\n               └─ x' (L:6@task)\n");
  EXPECT_EQ(t.message("y@task:7"), "accepted");
  EXPECT_EQ(t.message("k@task:5"), "accepted");
  EXPECT_EQ(t.message("k@7"), "accepted");
  EXPECT_EQ(t.message("y@task:3"), "root 'y@task:3': 'y' is not used there");
  EXPECT_EQ(t.message("z"), "root 'z': there is no variable 'z'; did you mean 's', 'x' or 'y'?");
}

TEST(Roots, FoundByThemselves) {
  const std::string code =
      "int in, out, flag; void send(int);\nvoid task(void) {\n out = in;\n if (flag) flag = 0;\n send(in); }";
  TestTree t(code, one_task());
  std::string names;
  for (const TreeRoot& root : find_roots(t.graph, t.labels)) names += root.name + ": " + root.why + "\n";
  EXPECT_EQ(names, "out: written and never read\nsend(): given to a function without a body\n");
  TestTree told(code, one_task() + "[system]\nerror_flags = [\"flag\"]\n");
  const auto roots = find_roots(told.graph, told.labels);
  ASSERT_EQ(roots.size(), 1U);
  EXPECT_EQ(roots[0].name + ": " + roots[0].why, "flag: error flag of heddle.toml");
}

TEST(TreeOutput, JsonAndPage) {
  TestTree t("int s, var, in;\nvoid task(void) {\n int k = var;\n s = k + var; }\nvoid isr(void) {\n var = in; }",
             task_and_isr());
  std::vector<SearchedTree> trees;
  trees.push_back(t.searched("s"));
  const std::string json = trees_json(t.graph, t.labels, trees);
  EXPECT_TRUE(json.contains("\"root\": \"s\", \"forward\": false, \"risk\": 1, \"cut\": 0"));
  EXPECT_TRUE(json.contains("\"by\": \"interference\", \"interferes\": true, \"marks\": [\"=wo1=\"]")) << json;
  EXPECT_TRUE(json.contains("\"triples\": [\"var<R#3>,<W#6>,<R#4>\"]"));
  const std::string page = trees_html(t.graph, t.labels, trees);
  EXPECT_TRUE(page.contains("var\\u003cR#3>"));
  EXPECT_FALSE(page.contains("var<R#3>"));  // nothing of the program becomes markup
  EXPECT_FALSE(page.contains("src=") || page.contains("href="));
  const RaceReport report = trees_report(t.graph, t.labels, trees);
  ASSERT_EQ(report.races.size(), 1U);
  ASSERT_EQ(report.races[0].accesses.size(), 3U);
  EXPECT_EQ(report.races[0].accesses[1].thread, "isr");
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::depend
