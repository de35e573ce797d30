// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/reader/model_text.h"

#include <gtest/gtest.h>

#include "api/models/embedded_models.h"
#include "api/reader/model_reader.h"

namespace heddle::api {
namespace HEDDLE_TEST_FILE {

TEST(ModelText, EveryShippedModelReadsBackAsItWas) {
  for (const EmbeddedModel& embedded : embedded_models()) {
    const std::string file(embedded.file);
    if (!file.ends_with(".toml")) continue;
    const auto read = read_models(embedded.text, file);
    ASSERT_TRUE(read.has_value()) << read.error().message;
    std::string text;
    for (const Model& model : read->models) text += toml_model(model);
    const auto again = read_models(text, file);
    ASSERT_TRUE(again.has_value()) << again.error().message;
    EXPECT_EQ(again->models, read->models) << file;
  }
}

TEST(ModelText, WritesWhatDiffersFromTheDefault) {
  Effect effect;
  effect.kind = EffectKind::Acquire;
  effect.object = 1;
  effect.blocking = false;
  effect.success = Success::Zero;
  Model model;
  model.name = "try";
  model.effects = {effect};
  model.result = {.is_said = true, .may_be_null = true, .numbers = {{{-1, 0}}, {{0, 0}, 2}}};
  EXPECT_EQ(toml_model(model),
            "[[function]]\nname = \"try\"\neffects = [{ acquire = 1, blocking = false, success = \"zero\" }]\n"
            "result = \"null or -1..0 or 0..arg 2\"\n");
  Model none;
  none.name = "none*";
  none.keeps_errno = true;
  EXPECT_EQ(toml_model(none), "[[function]]\nname = \"none*\"\neffects = []\nerrno = \"kept\"\n");
}

TEST(ModelText, StringsAreEscaped) {
  EXPECT_EQ(toml_string("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(toml_string(std::string_view("\0\n\x7f", 3)), R"("\u0000\u000a\u007f")");
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::api
