// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/reader/system_reader.h"

#include <gtest/gtest.h>

#include "api/entry_words.h"
#include "api/models/api_models.h"
#include "api/reader/model_reader.h"

namespace heddle::api {
namespace HEDDLE_TEST_FILE {

ModelFile accepted(const std::string& text) {
  auto read = read_models(text, "m.toml");
  EXPECT_TRUE(read.has_value()) << (read ? "" : read.error().message);
  return read ? std::move(*read) : ModelFile();
}

/// The message for a text that must be refused.
std::string refusal(const std::string& text) {
  const auto read = read_models(text, "m.toml");
  return read ? "accepted" : read.error().message;
}

TEST(EntryWords, EveryKindAgreesWithTheContextThatItMeans) {
  for (const EntryKind kind :
       {EntryKind::Main, EntryKind::Task, EntryKind::Cyclic, EntryKind::Interrupt, EntryKind::Init}) {
    EXPECT_TRUE(agree(kind, context_of(kind))) << to_text(kind);
    EXPECT_EQ(entry_kind(to_text(kind)), kind);
  }
  for (int i = 0; i <= static_cast<int>(EntryContext::Exit); ++i) {
    const auto context = static_cast<EntryContext>(i);
    EXPECT_TRUE(agree(kind_of(context), context)) << i;
  }
  EXPECT_EQ(context_of(EntryKind::Interrupt), EntryContext::Hardirq);
  EXPECT_EQ(context_of(EntryKind::Task), EntryContext::Thread);
  EXPECT_FALSE(agree(EntryKind::Interrupt, EntryContext::Thread));
  EXPECT_FALSE(agree(EntryKind::Task, EntryContext::Hardirq));
  EXPECT_FALSE(agree(EntryKind::Init, EntryContext::Thread));
}

TEST(SystemReader, EntriesHaveKindsAndPriorities) {
  const ModelFile file = accepted(
      "[[entry]]\nfunction = \"isr\"\nkind = \"interrupt\"\nnumber = 3\npriority = 7\npreemptable = false\n"
      "[[entry]]\nfunction = \"t\"\nkind = \"cyclic\"\ncontext = \"timer\"\nabove = \"u\"\n");
  ASSERT_EQ(file.entries.size(), 2U);
  EXPECT_EQ(file.entries[0].traits, (EntryTraits{EntryKind::Interrupt, 3, 7, false}));
  EXPECT_EQ(file.entries[0].context, EntryContext::Hardirq) << "what the kind alone means";
  EXPECT_EQ(file.entries[0].place, "m.toml:1:1");
  EXPECT_EQ(file.entries[1].context, EntryContext::Timer) << "what is written";
  EXPECT_EQ(file.entries[1].above, std::vector<std::string>{"u"});
}

TEST(SystemReader, EntriesAreRefusedWithTheirPlace) {
  const std::string entry = "[[entry]]\nfunction = \"f\"\n";
  EXPECT_EQ(refusal(entry + "kind = \"interrupt\"\ncontext = \"thread\"\n"),
            "m.toml:1:1: kind 'interrupt' and context 'thread' of the entry contradict each other: 'interrupt' is "
            "context 'hardirq', context 'thread' is kind 'task'; leave one out");
  EXPECT_EQ(refusal(entry + "kind = \"isr\"\n"),
            "m.toml:3:8: 'kind' in an entry must be one of main, task, cyclic, interrupt, init, found 'isr'");
  EXPECT_EQ(refusal(entry + "kind = \"task\"\npriority = \"high\"\n"),
            "m.toml:4:12: 'priority' in an entry must be a whole number of at most nine digits, found 'high'");
  EXPECT_TRUE(refusal(entry + "kind = \"task\"\nprioritty = 1\n")
                  .starts_with("m.toml:4:1: unknown key 'prioritty' in an entry; did you mean 'priority'? (known: "));
  EXPECT_EQ(refusal("[[entry]]\nfunction = \"*f*\"\nkind = \"task\"\n"),
            "m.toml:2:12: 'function' in an entry must be a name, or the beginning of one and a '*'");
}

TEST(SystemReader, System) {
  const SystemRules rules = accepted(
                                "[system]\ncores = 2\nequal_priority = \"preempts\"\none_scale = true\n"
                                "redundant = [[\"a\", \"b\"], [\"c\", \"d\", \"e\"]]\noutputs = [\"o\"]\n"
                                "error_flags = \"flag\"\noil = \"app.oil\"\n"
                                "[[exclusion]]\nentries = [\"f\", \"g\"]\nreason = \"parked\"\n")
                                .system;
  EXPECT_EQ(rules.cores, 2);
  EXPECT_EQ(rules.equal_preempts, true);
  EXPECT_EQ(rules.one_scale, true);
  ASSERT_EQ(rules.redundant.size(), 2U);
  EXPECT_EQ(rules.redundant[1].size(), 3U);
  EXPECT_EQ(rules.redundant[0][1].name, "b");
  EXPECT_EQ(rules.redundant[0][1].place, "m.toml:5:20");
  ASSERT_EQ(rules.outputs.size(), 1U);
  ASSERT_EQ(rules.error_flags.size(), 1U);
  EXPECT_EQ(rules.error_flags[0].name, "flag");
  EXPECT_EQ(rules.oil, "app.oil");
  ASSERT_EQ(rules.exclusions.size(), 1U);
  EXPECT_EQ(rules.exclusions[0].entries, (std::vector<std::string>{"f", "g"}));
  EXPECT_EQ(rules.exclusions[0].reason, "parked");
}

TEST(SystemReader, SystemIsRefusedWithItsPlace) {
  EXPECT_EQ(refusal("[system]\ncores = 0\n"), "m.toml:2:9: 'cores' in system must lie between 1 and 1024, found 0");
  EXPECT_EQ(refusal("[system]\nequal_priority = \"maybe\"\n"),
            "m.toml:2:18: 'equal_priority' in system must be \"never\" or \"preempts\", found 'maybe'");
  EXPECT_EQ(refusal("[system]\nredundant = [[\"a\"]]\n"),
            "m.toml:2:14: a group in 'redundant' needs two variables or more: [[\"a\", \"b\"], …]");
  EXPECT_TRUE(refusal("[system]\ncore = 1\n")
                  .starts_with("m.toml:2:1: unknown key 'core' in system; did you mean 'cores'? (known: "));
  EXPECT_TRUE(refusal("[sytem]\n").starts_with("m.toml:1:2: unknown key 'sytem'; did you mean 'system'? (known: "));
  EXPECT_EQ(refusal("system = 1\n"), "m.toml:1:10: 'system' must be a table: write [system]");
  EXPECT_EQ(refusal("[[exclusion]]\nentries = [\"f\"]\nreason = \"r\"\n"),
            "m.toml:1:1: an exclusion needs 'entries' with two entries or more that never run together");
  EXPECT_EQ(refusal("[[exclusion]]\nentries = [\"f\", \"g\"]\n"),
            "m.toml:1:1: an exclusion needs a 'reason': why these entries never run together, for the report");
}

TEST(SystemReader, Masks) {
  const SystemRules rules = accepted(
                                "[[mask]]\ndisable = \"off\"\nenable = [\"on\"]\nrestore = \"back\"\nargument = 1\n"
                                "all = 255\noffset = 16\n"
                                "[[mask]]\nof = \"tasks\"\ndisable = \"lock\"\nrestore = \"unlock\"\n"
                                "[[critical_section]]\nname = \"bus\"\nbegin = \"enter\"\nend = \"leave\"\n")
                                .system;
  ASSERT_EQ(rules.masks.size(), 3U);
  const auto of = [&](MaskRule::Of what) { return *std::ranges::find(rules.masks, what, &MaskRule::of); };
  const MaskRule interrupts = of(MaskRule::Of::Interrupts), section = of(MaskRule::Of::Section);
  EXPECT_EQ(interrupts.disable, std::vector<std::string>{"off"});
  EXPECT_EQ(interrupts.enable, std::vector<std::string>{"on"});
  EXPECT_EQ(interrupts.restore, std::vector<std::string>{"back"});
  EXPECT_EQ(interrupts.argument, 1);
  EXPECT_EQ(interrupts.all, 255);
  EXPECT_EQ(interrupts.offset, 16);
  EXPECT_EQ(section.name, "bus");
  EXPECT_EQ(section.restore, std::vector<std::string>{"leave"});
  EXPECT_EQ(of(MaskRule::Of::Tasks).disable, std::vector<std::string>{"lock"});
}

TEST(SystemReader, MasksAreRefusedWithTheirPlace) {
  EXPECT_EQ(refusal("[[mask]]\ndisable = \"f\"\n"), "m.toml:1:1: a mask needs 'disable', and 'enable' or 'restore'");
  EXPECT_EQ(refusal("[[mask]]\ndisable = \"f\"\nenable = \"g\"\nall = 1\n"),
            "m.toml:1:1: 'all' and 'offset' in a mask need 'argument': which argument has this value");
  EXPECT_EQ(refusal("[[mask]]\ndisable = \"f\"\nenable = \"g\"\nargument = -1\n"),
            "m.toml:1:1: 'argument' in a mask must lie between 0 and 255, found -1");
  EXPECT_EQ(refusal("[[mask]]\ndisable = \"f\"\nenable = \"g\"\nof = \"all\"\n"),
            "m.toml:4:6: 'of' in a mask must be \"interrupts\" or \"tasks\", found 'all'");
  EXPECT_TRUE(refusal("[[mask]]\ndisble = \"f\"\nenable = \"g\"\n")
                  .starts_with("m.toml:1:1: a mask needs 'disable', and 'enable' or 'restore'\nm.toml:2:1: unknown key "
                               "'disble' in a mask; did you mean 'disable'?"));
  EXPECT_EQ(refusal("[[critical_section]]\nbegin = \"f\"\n"), "m.toml:1:1: a critical section needs 'begin' and 'end'");
}

TEST(SystemReader, PolyspaceNames) {
  const ModelFile file = accepted(
      "[system]\nentry-points = [\"t\"]\ncyclic-tasks = \"c\"\ninterrupts = [\"i\", \"k\"]\n"
      "preemptable-interrupts = \"k\"\nnon-preemptable-tasks = \"t\"\n"
      "critical-section-begin = [\"enter:one\", \"in:two\"]\ncritical-section-end = [\"leave:one\", \"out:two\"]\n"
      "temporal-exclusions = [\"t c\", [\"i\", \"k\"]]\n"
      "routine-disable-interrupts = \"off\"\nroutine-enable-interrupts = \"on\"\n");
  std::vector<std::string> entries;
  for (const EntryRule& rule : file.entries)
    entries.push_back(rule.name + " " + (rule.traits.kind ? std::string(to_text(*rule.traits.kind)) : "-") +
                      (rule.traits.preemptable ? *rule.traits.preemptable ? " yes" : " no" : ""));
  std::ranges::sort(entries);
  EXPECT_EQ(entries, (std::vector<std::string>{"c cyclic", "i interrupt", "k interrupt", "k interrupt yes", "t - no",
                                               "t task"}));
  ASSERT_EQ(file.system.masks.size(), 3U);
  EXPECT_EQ(file.system.masks[0].name, "one");
  EXPECT_EQ(file.system.masks[0].disable, std::vector<std::string>{"enter"});
  EXPECT_EQ(file.system.masks[1].restore, std::vector<std::string>{"out"});
  EXPECT_EQ(file.system.masks[2].enable, std::vector<std::string>{"on"});
  ASSERT_EQ(file.system.exclusions.size(), 2U);
  EXPECT_EQ(file.system.exclusions[0].entries, (std::vector<std::string>{"t", "c"}));
  EXPECT_EQ(file.system.exclusions[1].entries, (std::vector<std::string>{"i", "k"}));
  EXPECT_EQ(refusal("[system]\ncritical-section-begin = \"enter:a\"\ncritical-section-end = \"leave:b\"\n"),
            "m.toml:1:1: the critical section 'a' in system needs both 'critical-section-begin' and "
            "'critical-section-end'\nm.toml:1:1: the critical section 'b' in system needs both "
            "'critical-section-begin' and 'critical-section-end'");
}

TEST(SystemReader, MasksOfAllInterruptsAreEffectsForScans) {
  const ModelFile file = accepted(
      "[[mask]]\ndisable = \"off\"\nenable = \"on\"\n"
      "[[mask]]\ndisable = \"off_one\"\nenable = \"on_one\"\nargument = 0\n");
  ASSERT_EQ(file.models.size(), 2U) << "a mask of one interrupt is not one of all";
  EXPECT_EQ(file.models[0].name, "off");
  EXPECT_TRUE(file.models[0].is_wrapper);
  EXPECT_EQ(file.models[0].effects[0].kind, EffectKind::Mask);
  EXPECT_EQ(file.models[0].effects[0].context, EntryContext::Hardirq);
  EXPECT_EQ(file.models[1].effects[0].kind, EffectKind::Unmask);
}

TEST(SystemReader, ALaterFileHolds) {
  ApiModels models;
  ASSERT_TRUE(
      models.add_toml("[system]\ncores = 2\nequal_priority = \"preempts\"\noutputs = \"a\"\n", "a").has_value());
  ASSERT_TRUE(models.add_toml("[system]\ncores = 1\noutputs = \"b\"\n", "b").has_value());
  EXPECT_EQ(models.system().cores, 1);
  EXPECT_EQ(models.system().equal_preempts, true) << "the second says nothing";
  EXPECT_EQ(models.system().outputs.size(), 2U);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::api
