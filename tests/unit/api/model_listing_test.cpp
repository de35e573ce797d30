// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/models/model_listing.h"

#include <gtest/gtest.h>

#include <sstream>

namespace heddle::api {
namespace HEDDLE_TEST_FILE {

ApiModels two_models() {
  ApiModels models;
  const auto added = models.add_toml(
      "[[function]]\nname = \"try\"\neffects = [{ acquire = 0, blocking = false, success = \"zero\" }, \"nondet\"]\n"
      "[[function]]\nname = \"rest*\"\neffects = []\n",
      "a.toml");
  EXPECT_TRUE(added.has_value());
  return models;
}

Function declaration(std::string_view name) {
  Function function;
  function.name = name;
  function.linkage = Linkage::Declaration;
  return function;
}

TEST(ModelListing, PrintsEffectsInTheWordsOfTheFile) {
  std::ostringstream out;
  print_models(out, two_models());
  EXPECT_EQ(out.str(),
            "rest*  no effect  (a.toml)\n"
            "try    acquire 0, blocking = false, success = zero; nondet  (a.toml)\n");
}

TEST(ModelListing, UnexplainedAreUsedUndefinedFunctionsWithoutModel) {
  Program program;
  const FunctionId zed = program.functions.add(declaration("zed"));
  const FunctionId known = program.functions.add(declaration("restful"));
  const FunctionId in_table = program.functions.add(declaration("callback"));
  program.functions.add(declaration("never_used"));
  Function taken = declaration("another");
  taken.is_address_taken = true;
  program.functions.add(taken);
  Function main;
  main.name = "main";
  main.blocks = program.arena.copy(std::vector<Block>{{"entry", 0, 0}});
  main.operands =
      program.arena.copy(std::vector{Operand::function(zed), Operand::function(known), Operand::function(zed)});
  program.functions.add(main);
  Global table;
  table.relocations = program.arena.copy(std::vector<Relocation>{{0, 8, Operand::function(in_table), 0}});
  program.globals.add(table);
  EXPECT_EQ(unexplained_calls(program, two_models()), (std::vector<std::string>{"another", "callback", "zed"}));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::api
