// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/depend/depend_trees.h"

#include <gtest/gtest.h>

#include "frontend/scratch_source.h"

namespace heddle::pipeline {
namespace HEDDLE_TEST_FILE {

constexpr const char* code =
    "int x, y, z, in, i;\n"
    "void task(void) {\n"
    "  int k = x;  /* </script> */\n"
    "  y = k + x;\n"
    "  for (i = 0; i < in; i++)\n"
    "    z = i;\n"
    "}\n"
    "void isr(void) { x = in; }\n";

constexpr const char* toml =
    "[[entry]]\nfunction = \"task\"\nkind = \"task\"\n[[entry]]\nfunction = \"isr\"\nkind = \"interrupt\"\n";

DependedTrees asked(const TreeOptions& trees, const DependOptions& options = {}) {
  const frontend::ScratchFolder folder;
  Input input;
  input.sources = {{folder.write("unit.c", code), {}}};
  input.model_files = {folder.write("heddle.toml", toml)};
  Result<DependedTrees> found = depend_trees(input, options, trees);
  if (!found) ADD_FAILURE() << found.error().message;
  return found ? std::move(*found) : DependedTrees{};
}

TEST(DependTrees, BeginWithWhatWasAssumed) {
  const DependedTrees found = asked({.roots = {"y"}});
  EXPECT_TRUE(found.text.starts_with("assumed: one core")) << found.text;
  EXPECT_TRUE(found.text.contains("\n=ic1= y (L:4@task) (risk=1)\n")) << found.text;
  EXPECT_EQ(found.risks, 1U);
  EXPECT_TRUE(found.page.empty());
}

TEST(DependTrees, TriplesOfATreeOnly) {
  EXPECT_EQ(asked({.roots = {"y"}}, {.only_triples = true}).text, "x<R#3>,<W#8>,<R#4>\n");
  EXPECT_EQ(asked({.roots = {"z"}}, {.only_triples = true}).text, "");
}

TEST(DependTrees, EveryRoot) {
  const DependedTrees found = asked({.lists_roots = true});
  EXPECT_TRUE(found.text.contains("y (risk=1): written and never read")) << found.text;
  EXPECT_TRUE(found.text.contains("z (risk=0): written and never read")) << found.text;
}

TEST(DependTrees, StatementsAreNamedAsTheSourceNamesThem) {
  EXPECT_TRUE(asked({.roots = {"z"}}).text.contains("[for] (L:5@task)"));
}

TEST(DependTrees, APageHasItsSources) {
  const std::string page = asked({.roots = {"y"}, .wants_page = true}).page;
  EXPECT_TRUE(page.contains("  y = k + x;"));
  EXPECT_TRUE(page.contains("\\u003c/script> */"));  // the source does not end the script
}

TEST(DependTrees, ColoursOnRequest) {
  EXPECT_FALSE(asked({.roots = {"y"}}).text.contains("\x1b["));
  EXPECT_TRUE(asked({.roots = {"y"}, .has_color = true}).text.contains("\x1b["));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::pipeline
