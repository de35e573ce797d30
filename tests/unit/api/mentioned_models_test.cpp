// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/models/mentioned_models.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "api/action.h"
#include "api/models/api_models.h"
#include "api/models/embedded_models.h"

namespace heddle::api {
namespace HEDDLE_TEST_FILE {

Program program_with(std::vector<std::string_view> names) {
  Program program;
  for (const std::string_view name : names) {
    Function function;
    function.name = name;
    program.functions.add(std::move(function));
  }
  return program;
}

constexpr std::string_view text = R"(# what "f" does
[defaults]
result = "number"

# "g" in a comment
[[function]]
names = ["f", "h"]
effects = []
[[function]]
name = "lib_*"
effects = [
  { read = 0 },
]
[[also]]
names = ["f", "k"]
effects = [{ read = 1 }]
)";

TEST(MentionedModels, TablesOfOtherFunctionsAreLeftOut) {
  const auto part = [&](std::vector<std::string_view> names) {
    const Program program = program_with(std::move(names));
    return mentioned_part(text, MentionedNames(program));
  };
  EXPECT_TRUE(part({"h"}).contains(R"(names = ["f", "h"])"));
  EXPECT_FALSE(part({"h"}).contains("lib_*"));
  EXPECT_TRUE(part({"lib_open"}).contains("lib_*"));
  EXPECT_FALSE(part({"li", "libx", "m"}).contains("[[function]]"));
  EXPECT_TRUE(part({"m"}).contains("[[also]]"));
  EXPECT_TRUE(part({"m"}).contains("[defaults]"));
  EXPECT_TRUE(part({"f@unit.c"}).contains(R"(names = ["f", "h"])"));
}

/// A name that the model holds for.
std::string name_of(const Model& model) {
  return model.name.ends_with('*') ? model.name.substr(0, model.name.size() - 1) + "x" : model.name;
}

TEST(MentionedModels, NoShippedModelIsLeftOutOfItsFile) {
  const auto all = ApiModels::shipped();
  ASSERT_TRUE(all);
  for (const Model* model : all->all()) {
    const auto file = std::ranges::find(embedded_models(), model->file, &EmbeddedModel::file);
    ASSERT_NE(file, embedded_models().end()) << model->file;
    const std::string name = name_of(*model);
    const Program program = program_with({name});
    EXPECT_TRUE(mentioned_part(file->text, MentionedNames(program)).contains('"' + model->name + '"')) << name;
  }
}

TEST(MentionedModels, WhatAProgramAsksForIsThereAsItIsAmongAll) {
  const auto all = ApiModels::shipped();
  ASSERT_TRUE(all);
  for (std::size_t i = 0; i < all->all().size(); i += 40) {
    const std::string name = name_of(*all->all()[i]);
    const auto some = ApiModels::shipped_for(program_with({name}));
    ASSERT_TRUE(some) << some.error().message;
    ASSERT_NE(some->find(name), nullptr) << name;
    EXPECT_EQ(*some->find(name), *all->find(name)) << name;
  }
}

TEST(MentionedModels, VariablesOfLibrariesAreAllKnown) {
  const auto all = ApiModels::shipped();
  ASSERT_TRUE(all);
  std::set<std::string> read, found;
  for (const Model* model : all->all())
    for (const Effect& effect : model->effects)
      if (const auto touch = get<Touch>(effect); touch && touch->extent == Touch::Extent::Hidden)
        read.emplace(touch->name);
  for (const EmbeddedModel& file : embedded_models())
    if (file.file.ends_with(".toml") && !file.file.contains("profiles/"))
      for (const std::string_view name : hidden_variables(file.text)) found.emplace(name);
  EXPECT_EQ(read, found);
  const auto none = ApiModels::shipped_for(Program{});
  ASSERT_TRUE(none);
  for (const std::string& name : read) EXPECT_TRUE(none->knows_variable(name)) << name;
  EXPECT_FALSE(none->knows_variable("some_variable"));
}

TEST(MentionedModels, WhatNobodyMentionsIsNotThere) {
  const auto some = ApiModels::shipped_for(program_with({"malloc"}));
  ASSERT_TRUE(some);
  EXPECT_EQ(some->find("pthread_create"), nullptr);
  EXPECT_NE(some->find("malloc"), nullptr);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::api
