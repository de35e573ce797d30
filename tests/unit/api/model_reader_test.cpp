// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/reader/model_reader.h"

#include <gtest/gtest.h>

#include "api/reader/effect_schema.h"

namespace heddle::api {
namespace HEDDLE_TEST_FILE {

/// The message for a text that must be refused.
std::string refusal(const std::string& text) {
  const auto read = read_models(text, "m.toml");
  return read ? "accepted" : read.error().message;
}

/// The message for a model of `f` with these effects.
std::string effect_refusal(const std::string& effects) {
  return refusal("[[function]]\nname = \"f\"\neffects = [" + effects + "]\n");
}

Effect only_effect(const std::string& effect) {
  const auto read = read_models("[[function]]\nname = \"f\"\neffects = [" + effect + "]\n", "m.toml");
  EXPECT_TRUE(read.has_value()) << (read ? "" : read.error().message);
  if (!read || read->models.size() != 1 || read->models[0].effects.size() != 1) return {};
  return read->models[0].effects[0];
}

TEST(ModelReader, ReadsNamesInOrderAndKeepsTheFile) {
  const auto read = read_models("[[function]]\nnames = [\"b\", \"a\"]\neffects = []\n", "m.toml");
  ASSERT_TRUE(read.has_value());
  ASSERT_EQ(read->models.size(), 2U);
  EXPECT_EQ(read->models[0].name, "b");
  EXPECT_EQ(read->models[1].name, "a");
  EXPECT_EQ(read->models[0].file, "m.toml");
  EXPECT_TRUE(read->models[0].effects.empty());
}

TEST(ModelReader, ReadsTheCommandThatRunsTheProgram) {
  const auto read = read_models("[run]\ncommand = \"./server -p 80\"\n", "m.toml");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->run.command, "./server -p 80");
  EXPECT_EQ(refusal("[run]\nprogram = \"x\"\n"), "m.toml:2:1: unknown key 'program' in run (known: command)");
  EXPECT_EQ(refusal("run = 1\n"), "m.toml:1:7: 'run' must be a table: write [run]");
  EXPECT_EQ(refusal("[run]\ncommand = [\"x\"]\n"),
            "m.toml:2:11: 'command' must be a text such as \"./server -p 80\", found a list");
}

TEST(ModelReader, AddsWhatSeveralFunctionsDoToo) {
  const auto read = read_models(
      "[[also]]\nnames = [\"b\"]\neffects = [{ use = 1 }]\n"
      "[[function]]\nnames = [\"a\", \"b\"]\neffects = [{ read = 0 }]\n",
      "m.toml");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  ASSERT_EQ(read->models.size(), 2U);
  EXPECT_EQ(read->models[0].effects.size(), 1U);
  ASSERT_EQ(read->models[1].effects.size(), 2U);
  EXPECT_EQ(read->models[1].effects[0].kind, EffectKind::Use);
  EXPECT_EQ(refusal("[[also]]\nnames = [\"c\"]\neffects = []\n"),
            "m.toml:2:10: 'c' has no model in this file that could be added to");
  EXPECT_EQ(refusal("[[also]]\neffects = []\n"),
            "m.toml:1:1: an addition needs 'names', a list of functions of this file");
}

TEST(ModelReader, ReadsEveryFieldOfATryLock) {
  const Effect effect =
      only_effect("{ acquire = 1, mode = \"shared\", blocking = false, success = \"zero\", recursive = true }");
  EXPECT_EQ(effect.kind, EffectKind::Acquire);
  EXPECT_EQ(effect.object, 1);
  EXPECT_EQ(effect.mode, LockMode::Shared);
  EXPECT_FALSE(effect.blocking);
  EXPECT_TRUE(effect.recursive);
  EXPECT_EQ(effect.success, Success::Zero);
}

TEST(ModelReader, ReadsSpawnWithHandleInMemoryAndReturned) {
  const Effect stored = only_effect("{ spawn = 2, handle = 0, parameter = 3 }");
  EXPECT_EQ(stored.kind, EffectKind::Spawn);
  EXPECT_EQ(stored.entry, 2);
  EXPECT_EQ(stored.argument, 3);
  EXPECT_EQ(stored.handle, 0);
  EXPECT_FALSE(stored.handle_returned);
  const Effect returned = only_effect("{ spawn = 0, handle = \"return\" }");
  EXPECT_TRUE(returned.handle_returned);
  EXPECT_EQ(returned.handle, Effect::none);
  EXPECT_EQ(returned.argument, Effect::none);
}

TEST(ModelReader, ReadsEveryFormOfLength) {
  EXPECT_EQ(only_effect("{ read = 0, length = 8 }").length.kind, Length::Kind::Constant);
  EXPECT_EQ(only_effect("{ read = 0, length = 8 }").length.value, 8);
  EXPECT_EQ(only_effect("{ read = 0, length = \"string\" }").length.most, -1);
  EXPECT_EQ(only_effect("{ read = 0, length = \"string up to arg 2\" }").length.most, 2);
  EXPECT_EQ(only_effect("{ read = 0, length = \"string up to arg 2\" }").length.kind, Length::Kind::String);
  EXPECT_EQ(only_effect("{ read = 0, length = \"arg 2\" }").length.kind, Length::Kind::Argument);
  EXPECT_EQ(only_effect("{ read = 0, length = \"arg 2\" }").length.value, 2);
  const Length product = only_effect("{ read = 0, length = \"arg 1*arg 3\" }").length;
  EXPECT_EQ(product.kind, Length::Kind::Product);
  EXPECT_EQ(product.value, 1);
  EXPECT_EQ(product.second, 3);
  EXPECT_EQ(only_effect("{ read = 0, length = \"string\" }").length.kind, Length::Kind::String);
  EXPECT_EQ(only_effect("{ read = 0, length = \"2 words\" }").length.kind, Length::Kind::Words);
  EXPECT_EQ(only_effect("{ read = 0, length = \"unknown\" }").length.kind, Length::Kind::Unknown);
  EXPECT_EQ(only_effect("{ read = 0 }").length.kind, Length::Kind::Unknown);
}

TEST(ModelReader, ReadsAKindWithoutArgumentAsStringAndAsTable) {
  EXPECT_EQ(only_effect("\"nondet\"").kind, EffectKind::Nondet);
  EXPECT_EQ(only_effect("{ thread_exit = true, result = 0 }").kind, EffectKind::ThreadExit);
}

TEST(ModelReader, ReadsTheProfile) {
  const auto read = read_models("[profile]\natomic_functions = [\"atomic_\"]\n", "m.toml");
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->atomic_prefixes, std::vector<std::string>{"atomic_"});
  EXPECT_FALSE(read->volatile_is_marked);
  EXPECT_TRUE(read_models("[profile]\nvolatile_is_marked = true\n", "m.toml")->volatile_is_marked);
}

TEST(ModelReader, ReadsKnownVariables) {
  const auto read = read_models("[variables]\nknown = [\"optind\", \"optarg\"]\n", "m.toml");
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->known_variables, (std::vector<std::string>{"optind", "optarg"}));
}

/// A value that fits an option, for texts that use every row of the schema.
std::string sample_value(const OptionRow& option) {
  switch (option.form) {
    case OptionForm::Argument:
    case OptionForm::HandlePlace:
    case OptionForm::Slot: return "1";
    case OptionForm::Boolean: return option.key == "blocking" ? "false" : "true";
    case OptionForm::Text: return "\"add\"";
    case OptionForm::LengthText: return "\"arg 1\"";
    case OptionForm::ModeName: return "\"shared\"";
    case OptionForm::ContextName: return "\"work\"";
    case OptionForm::SuccessName: return "\"nonzero\"";
    case OptionForm::TypeName: return "\"mutex\"";
    case OptionForm::GrantedName: return "\"locks-succeed\"";
    case OptionForm::ValidRange: return "\"0..3\"";
    case OptionForm::Except: return "-1";
    case OptionForm::Bits: return "4";
  }
  return "";
}

std::string sample_main(Main main) {
  switch (main) {
    case Main::Object:
    case Main::Entry:
    case Main::Value: return "0";
    case Main::Length: return "\"arg 0\"";
    case Main::Note: return "\"text\"";
    case Main::Context: return "\"softirq\"";
    case Main::Flag: return "true";
  }
  return "";
}

TEST(ModelReader, EveryKindWithEveryOptionIsReadAndShown) {
  for (const KindRow& row : kind_rows()) {
    std::string text = "{ " + std::string(row.key) + " = " + sample_main(row.main);
    for (const AllowedOption& allowed : options_of(row)) {
      const OptionRow* option = find_option(allowed.key);
      ASSERT_NE(option, nullptr) << row.key << " allows " << allowed.key;
      text += ", " + std::string(allowed.key) + " = " + sample_value(*option);
    }
    const Effect effect = only_effect(text + " }");
    EXPECT_EQ(effect.kind, row.kind) << text;
    const std::string shown = to_text(effect);
    for (const AllowedOption& allowed : options_of(row))
      EXPECT_NE(shown.find(std::string(allowed.key) + " = "), std::string::npos) << shown << " of " << text;
  }
}

TEST(ModelReader, EveryKindOfEffectHasARow) {
  for (int kind = 0; kind <= static_cast<int>(EffectKind::Unmask); ++kind)
    EXPECT_EQ(row_of(static_cast<EffectKind>(kind)).kind, static_cast<EffectKind>(kind));
}

TEST(ModelReader, WrappersAndEntries) {
  const auto file = read_models(
      "[[wrapper]]\nname = \"w\"\neffects = [{ root = 1, context = \"timer\", parameter = 0 }]\n"
      "[[entry]]\nmember_of = \"ops\"\nmembers = [\"read\", \"write\"]\ncontext = \"call\"\n"
      "[[entry]]\nfunction = \"sys_*\"\ncontext = \"hardirq\"\n"
      "[[entry]]\nglobal = \"__init_x\"\ncontext = \"init\"\n"
      "[[entry]]\nuncalled = \"*\"\ncontext = \"call\"\n",
      "m.toml");
  ASSERT_TRUE(file.has_value()) << file.error().message;
  ASSERT_EQ(file->models.size(), 1u);
  EXPECT_TRUE(file->models[0].is_wrapper);
  EXPECT_EQ(file->models[0].effects[0].context, EntryContext::Timer);
  using Kind = EntryRule::Kind;
  const auto row = [&](std::size_t i) {
    const EntryRule& rule = file->entries[i];
    EXPECT_EQ(rule.file, "m.toml");
    EXPECT_EQ(rule.traits, EntryTraits());
    return std::tuple(rule.kind, rule.name, rule.members, rule.context);
  };
  using Members = std::vector<std::string>;
  ASSERT_EQ(file->entries.size(), 4u);
  EXPECT_EQ(row(0), std::tuple(Kind::Member, "ops", Members{"read", "write"}, EntryContext::Call));
  EXPECT_EQ(row(1), std::tuple(Kind::Function, "sys_*", Members{}, EntryContext::Hardirq));
  EXPECT_EQ(row(2), std::tuple(Kind::Global, "__init_x", Members{}, EntryContext::Init));
  EXPECT_EQ(row(3), std::tuple(Kind::Uncalled, "*", Members{}, EntryContext::Call));
}

TEST(ModelReaderMessages, Entries) {
  EXPECT_EQ(refusal("[[entry]]\ncontext = \"call\"\n"),
            "m.toml:1:1: an entry needs one of 'function', 'member_of', 'global', 'uncalled' and 'vector_table'");
  EXPECT_EQ(
      refusal("[[entry]]\nfunction = \"f\"\n"),
      "m.toml:1:1: an entry needs a 'kind' (main, task, cyclic, interrupt, init) or a 'context' (thread, call, work, "
      "timer, softirq, hardirq, init, exit)");
  EXPECT_EQ(
      refusal("[[entry]]\nfunction = \"f\"\ncontext = \"irq\"\n"),
      "m.toml:3:11: 'context' in an entry must be one of thread, call, work, timer, softirq, hardirq, init, exit, "
      "found 'irq'");
  EXPECT_EQ(refusal("[[entry]]\nfunction = \"f*g\"\ncontext = \"call\"\n"),
            "m.toml:2:12: 'function' in an entry must be a name, or the beginning of one and a '*'");
  EXPECT_EQ(
      refusal("[[entry]]\nfunction = \"f\"\nmembers = [\"m\"]\ncontext = \"call\"\n"),
      "m.toml:1:1: 'members', 'priority_member', 'number_member' and 'lower_first' in an entry go with 'member_of' "
      "only");
  EXPECT_EQ(
      refusal("[[entry]]\nname = \"f\"\nfunction = \"f\"\ncontext = \"call\"\n"),
      "m.toml:2:1: unknown key 'name' in an entry (known: above, context, function, global, kind, lower_first, "
      "member_of, members, number, number_member, preemptable, priority, priority_member, uncalled, vector_section, "
      "vector_table)");
  EXPECT_EQ(
      effect_refusal("{ mask = \"irq\" }"),
      "m.toml:3:21: 'mask' in model of 'f' must be one of thread, call, work, timer, softirq, hardirq, init, exit, "
      "found 'irq'");
}

TEST(ModelReaderMessages, SyntaxErrorHasItsPlace) {
  const std::string message = refusal("[[function]]\nname = \"f\neffects = []\n");
  EXPECT_TRUE(message.starts_with("m.toml:2:")) << message;
}

TEST(ModelReaderMessages, UnknownKeys) {
  EXPECT_EQ(refusal("functions = 1\n"),
            "m.toml:1:1: unknown key 'functions'; did you mean 'function'? (known: also, capture, code, "
            "critical_section, defaults, entry, exclusion, function, mask, profile, run, system, variables, "
            "wrapper)");
  EXPECT_EQ(refusal("[[function]]\nname = \"f\"\neffect = []\neffects = []\n"),
            "m.toml:3:1: unknown key 'effect' in model of 'f' (known: name, names, effects, errno, result)");
  EXPECT_TRUE(effect_refusal("{ aquire = 0 }")
                  .starts_with("m.toml:3:14: unknown key 'aquire' in model of 'f' (known: acquire, "));
  EXPECT_EQ(effect_refusal("{ lock_init = 0, lenght = 8 }"),
            "m.toml:3:29: unknown key 'lenght' in effect 'lock_init' in model of 'f' "
            "(known: lock_init, attributes, recursive, recursive_if, type, valid, granted)");
  EXPECT_TRUE(
      effect_refusal("\"nondett\"").starts_with("m.toml:3:12: unknown effect 'nondett' in model of 'f' (known: "));
  EXPECT_EQ(refusal("[profile]\natomic = []\n"),
            "m.toml:2:1: unknown key 'atomic' in profile (known: atomic_functions, closed_programs, name, "
            "sequential_atomics, volatile_is_marked)");
}

TEST(ModelReaderMessages, OptionOfAnotherKind) {
  EXPECT_EQ(effect_refusal("{ release = 0, mode = \"shared\" }"),
            "m.toml:3:27: unknown key 'mode' in effect 'release' in model of 'f' (known: release, type)");
}

TEST(ModelReaderMessages, WrongTypes) {
  EXPECT_EQ(refusal("function = 3\n"), "m.toml:1:12: 'function' must be an array of tables: write [[function]]");
  EXPECT_EQ(refusal("function = [1]\n"), "m.toml:1:13: 'function' must hold tables, found 1");
  EXPECT_EQ(refusal("profile = 3\n"), "m.toml:1:11: 'profile' must be a table: write [profile]");
  EXPECT_EQ(refusal("variables = 3\n"), "m.toml:1:13: 'variables' must be a table: write [variables]");
  EXPECT_EQ(refusal("[variables]\nnames = []\n"), "m.toml:2:1: unknown key 'names' in variables (known: known)");
  EXPECT_EQ(refusal("[variables]\nknown = [7]\n"), "m.toml:2:10: a name in 'known' must be a text, found 7");
  EXPECT_EQ(refusal("[profile]\natomic_functions = \"a\"\n"),
            "m.toml:2:20: 'atomic_functions' must be a list of prefixes, found 'a'");
  EXPECT_EQ(refusal("[profile]\natomic_functions = [\"\"]\n"),
            "m.toml:2:21: a prefix in 'atomic_functions' must be a text, found ''");
  EXPECT_EQ(refusal("[profile]\nvolatile_is_marked = 1\n"),
            "m.toml:2:22: 'volatile_is_marked' must be true or false, found 1");
  EXPECT_EQ(refusal("[[function]]\nname = 3\neffects = []\n"),
            "m.toml:2:8: the name of a function must be a string, found 3");
  EXPECT_EQ(refusal("[[function]]\nname = \"f\"\neffects = {}\n"),
            "m.toml:3:11: 'effects' in model of 'f' must be a list, found a table");
  EXPECT_EQ(effect_refusal("3"),
            "m.toml:3:12: an effect in model of 'f' must be a table or the name of a kind, found 3");
  EXPECT_EQ(effect_refusal("{ acquire = \"0\" }"),
            "m.toml:3:24: 'acquire' in model of 'f' must be an argument number, found '0'");
  EXPECT_EQ(effect_refusal("{ acquire = 0, blocking = 1 }"),
            "m.toml:3:38: 'blocking' in model of 'f' must be true or false, found 1");
  EXPECT_EQ(effect_refusal("{ unsupported = 1 }"),
            "m.toml:3:28: 'unsupported' in model of 'f' must be a text, found 1");
  EXPECT_EQ(effect_refusal("{ nondet = false }"), "m.toml:3:23: 'nondet' in model of 'f' can only be true");
  EXPECT_EQ(
      effect_refusal("{ acquire = 0, success = \"one\" }"),
      "m.toml:3:37: 'success' in model of 'f' must be one of always, zero, nonzero, nonnegative, not -1, found 'one'");
}

TEST(ModelReaderMessages, NumbersOutOfRange) {
  EXPECT_EQ(effect_refusal("{ acquire = -1 }"),
            "m.toml:3:24: 'acquire' in model of 'f' must lie between 0 and 255, found -1");
  EXPECT_EQ(effect_refusal("{ acquire = 256 }"),
            "m.toml:3:24: 'acquire' in model of 'f' must lie between 0 and 255, found 256");
  EXPECT_EQ(effect_refusal("{ read = 0, length = 0 }"),
            "m.toml:3:33: 'length' in model of 'f' must be above 0, found 0");
}

TEST(ModelReaderMessages, BadLengths) {
  for (const std::string bad : {"arg", "arg -1", "arg 999", "arg 1 *", "arg 1 * 2", "0 words", "words", "", "string 2"})
    EXPECT_TRUE(effect_refusal("{ read = 0, length = \"" + bad + "\" }")
                    .starts_with("m.toml:3:33: 'length' in model of 'f' must be a number of bytes, \"arg N\""))
        << bad;
}

TEST(ModelReaderMessages, MissingParts) {
  EXPECT_EQ(refusal("[[function]]\neffects = []\n"), "m.toml:1:1: a model needs 'name' or 'names'");
  EXPECT_EQ(refusal("[[function]]\nname = \"f\"\nnames = [\"g\"]\neffects = []\n"),
            "m.toml:1:1: a model has both 'name' and 'names'; one is enough");
  EXPECT_EQ(refusal("[[function]]\nnames = []\neffects = []\n"),
            "m.toml:2:9: 'names' must be a list of symbols that is not empty, found an empty list");
  EXPECT_EQ(refusal("[[function]]\nname = \"f\"\n"),
            "m.toml:1:1: model of 'f' needs 'effects'; an empty list says that there are none");
  EXPECT_EQ(effect_refusal("{ wait = 0 }"), "m.toml:3:12: effect 'wait' in model of 'f' needs 'lock'");
  EXPECT_TRUE(effect_refusal("{}").starts_with("m.toml:3:12: effect in model of 'f' names no kind (known: "));
  EXPECT_EQ(effect_refusal("\"acquire\""),
            "m.toml:3:12: effect 'acquire' in model of 'f' needs a value: { acquire = … }");
}

TEST(ModelReaderMessages, TwoKindsInOneEffect) {
  EXPECT_EQ(effect_refusal("{ acquire = 0, release = 0 }"),
            "m.toml:3:27: effect in model of 'f' has two kinds, 'acquire' and 'release'; write two effects");
}

TEST(ModelReaderMessages, NamesThatAreNone) {
  for (const std::string bad : {"", "*", "a*b", "a**", "a b"})
    EXPECT_EQ(refusal("[[function]]\nname = \"" + bad + "\"\neffects = []\n"),
              "m.toml:2:8: '" + bad + "' is no symbol and no prefix (a symbol followed by one '*')");
}

TEST(ModelReaderMessages, DuplicateNames) {
  EXPECT_EQ(refusal("[[function]]\nname = \"f\"\neffects = []\n[[function]]\nnames = [\"g\", \"f\"]\neffects = []\n"),
            "m.toml:5:15: 'f' has a model already, at 2:8");
}

TEST(ModelReaderMessages, SeveralAreInTheOrderOfTheFileAndLimited) {
  const std::string two = effect_refusal("{ wait = 0 }, { acquire = -1 }");
  EXPECT_EQ(two.find("m.toml:3:12: effect 'wait'"), 0U) << two;
  EXPECT_NE(two.find("\nm.toml:3:38: 'acquire'"), std::string::npos) << two;
  std::string many;
  for (int i = 0; i < 30; ++i) many += "k" + std::to_string(i) + " = 1\n";
  EXPECT_TRUE(refusal(many).ends_with("\nm.toml: and 10 more")) << refusal(many);
}

TEST(ModelReaderMessages, TableHeaderWithoutName) {
  EXPECT_EQ(refusal("# text\n\n  [[,]]\n"), "m.toml:3:3: a table header needs a name: [profile], [[function]]");
  EXPECT_NE(refusal("[[\n"), "accepted");
}

TEST(ModelReaderMessages, StrangeTextIsRefusedWithoutHarm) {
  EXPECT_NE(refusal(std::string("\xff\xfe\x00", 3)), "accepted");
  EXPECT_NE(refusal("a = " + std::string(5000, '[')), "accepted");
  EXPECT_NE(refusal("\u00e4 = 1\n[[\u00e4]]\n"), "accepted");
  EXPECT_NE(refusal("a = \u00e4\n"), "accepted");
  EXPECT_NE(refusal("a = 99999999999999999999999"), "accepted");
  EXPECT_EQ(refusal("# \u00e4\n"), "accepted");
  EXPECT_EQ(refusal(""), "accepted");
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::api
