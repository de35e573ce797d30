// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scan of tasks and interrupts: which pairs stay, and why others do not. Programs with more in them stand in
// tests/firmware.
#include "pipeline/system/system_of_scan.h"

#include <gtest/gtest.h>

#include <set>

#include "depend/system_of.h"
#include "scan/scan.h"

namespace heddle::pipeline {
namespace HEDDLE_TEST_FILE {

using depend::entry_table;

const std::string task = entry_table("task", "task", "priority = 1");
const std::string isr = entry_table("isr", "interrupt", "priority = 2\nnumber = 3");
const std::string mask = "[[mask]]\ndisable = \"off\"\nenable = \"on\"\nargument = 0\nall = -1\n";

/// A program and what a scan says of it, with the system that heddle.toml describes.
class ScannedSystem {
 public:
  ScannedSystem(const std::string& code, const std::string& toml, const scan::Assumptions& assumptions = {})
      : made_(code, toml) {
    EXPECT_TRUE(made_.system.has_value()) << made_.message();
    facts_ = system_of_scan(made_.program, *made_.system);
    scan::ScanOptions how;
    how.system = &facts_;
    how.assumptions = assumptions;
    scan_.emplace(made_.program, made_.models, how);
  }

  /// `x: task / isr`, sorted; without how many there are of each.
  [[nodiscard]] std::set<std::string> warnings() {
    std::set<std::string> out;
    for (const race::CaseFile& one : scan_->docket().cases) {
      const auto name = [&](const race::Access& access) {
        const std::string whole = scan_->evidence().thread_name(access);
        return whole.substr(0, whole.find(' '));
      };
      std::string first = name(one.warning.first), second = name(one.warning.second);
      if (second < first) std::swap(first, second);
      out.insert(scan_->evidence().object_name(one.warning.first) + ": " + first + " / " + second);
    }
    return out;
  }

  /// Why pairs of a variable are apart: `masked: …`, or `nothing`.
  [[nodiscard]] std::set<std::string> reasons(const std::string& variable) {
    const auto is_wanted = [&](const race::Access& access) {
      return scan_->evidence().object_name(access) == variable;
    };
    std::set<std::string> out;
    for (const race::ConsideredPair& pair : scan_->evidence().considered(is_wanted)) {
      const auto why = pair.separation ? std::optional(pair.separation->reason) : std::nullopt;
      if (why == race::SeparationReason::BothRead || why == race::SeparationReason::OtherObject) continue;
      out.insert(!pair.separation ? "nothing"
                                  : std::string(to_text(pair.separation->reason)) +
                                        (pair.separation->detail.empty() ? "" : ": " + pair.separation->detail));
    }
    return out;
  }

  [[nodiscard]] std::string why_parallel() {
    return scan_->evidence().why_parallel(scan_->docket().cases.front().warning);
  }
  [[nodiscard]] const std::vector<std::string>& assumptions() { return scan_->docket().assumptions; }

 private:
  depend::TestSystem made_;
  scan::SystemFacts facts_;
  std::optional<scan::Scan> scan_;
};

using Set = std::set<std::string>;

TEST(SystemOfScan, AHigherEntryInterrupts) {
  ScannedSystem scanned("int x; void task(void) { x = 1; } void isr(void) { x++; }", task + isr);
  EXPECT_EQ(scanned.warnings(), Set{"x: isr / task"});
  EXPECT_EQ(scanned.why_parallel(), "'isr' (interrupt, priority 2) can interrupt 'task' (task, priority 1) there");
}

TEST(SystemOfScan, AnEntryDoesNotInterruptItself) {
  ScannedSystem scanned("int x; void task(void) { x++; } void isr(void) { }", task + isr);
  EXPECT_EQ(scanned.warnings(), Set{});
  EXPECT_EQ(scanned.reasons("x"), Set{"in-turn: one run of 'task' ends before the next begins"});
}

TEST(SystemOfScan, EqualPrioritiesTakeTurns) {
  const std::string code = "int x; void task(void) { x = 1; } void other(void) { x = 2; }";
  const std::string toml = task + entry_table("other", "task", "priority = 1");
  ScannedSystem scanned(code, toml);
  EXPECT_EQ(scanned.warnings(), Set{});
  EXPECT_TRUE(
      scanned.reasons("x").contains("in-turn: 'other' and 'task' cannot interrupt each other: same priority 1") ||
      scanned.reasons("x").contains("in-turn: 'task' and 'other' cannot interrupt each other: same priority 1"));
  ScannedSystem shared(code, toml + "[system]\nequal_priority = \"preempts\"\n");
  EXPECT_EQ(shared.warnings(), Set{"x: other / task"});
  ScannedSystem two_cores(code, toml + "[system]\ncores = 2\n");
  EXPECT_EQ(two_cores.warnings(), Set{"x: other / task"});
  EXPECT_TRUE(two_cores.why_parallel().contains("may run on different cores"));
}

TEST(SystemOfScan, AMaskAtTheLowerSideIsEnough) {
  const std::string code =
      "void off(int); void on(int); int x;"
      "void task(void) { off(3); x = 1; on(3); } void isr(void) { x++; }";
  ScannedSystem scanned(code, task + isr + mask);
  EXPECT_EQ(scanned.warnings(), Set{});
  EXPECT_TRUE(scanned.reasons("x").contains("masked: 'isr' cannot interrupt 'task' there: interrupt 3 is masked"));
  ScannedSystem two_cores(code, task + isr + mask + "[system]\ncores = 2\n");
  EXPECT_EQ(two_cores.warnings(), Set{"x: isr / task"});
}

TEST(SystemOfScan, AMaskAtTheUpperSideIsNone) {
  ScannedSystem scanned(
      "void off(int); void on(int); int x;"
      "void task(void) { x = 1; } void isr(void) { off(-1); x++; on(-1); }",
      task + isr + mask);
  EXPECT_EQ(scanned.warnings(), Set{"x: isr / task"});
}

TEST(SystemOfScan, MainIsNeverAlone) {
  ScannedSystem scanned("int x; void isr(void) { x++; } int main(void) { x = 1; return 0; }", isr);
  EXPECT_EQ(scanned.warnings(), Set{"x: isr / main"});
}

TEST(SystemOfScan, ConstructorsAreBeforeEverybody) {
  ScannedSystem scanned(
      "int x; void isr(void) { x++; } __attribute__((constructor)) static void begin(void) { x = 1; }"
      "int main(void) { return 0; }",
      isr);
  EXPECT_EQ(scanned.warnings(), Set{});
}

TEST(SystemOfScan, TheAssumptionHasANameAndASwitch) {
  const std::string code = "int x; void task(void) { x++; } void isr(void) { }";
  const auto names_it = [](const std::string& text) { return text.starts_with("described-system ("); };
  ScannedSystem scanned(code, task + isr);
  EXPECT_TRUE(std::ranges::any_of(scanned.assumptions(), names_it));
  scan::Assumptions without;
  without.described_system = false;
  ScannedSystem dropped(code, task + isr, without);
  EXPECT_FALSE(std::ranges::any_of(dropped.assumptions(), names_it));
  EXPECT_EQ(dropped.warnings().size(), 1U) << "several runs of it at once";
}

TEST(SystemOfScan, AHandlerWithoutPriorityIsInterruptedIfItLetsOthersIn) {
  const std::string code = "int x; void first(void) { x++; } void second(void) { __asm__ volatile(\"sti\"); x--; }";
  ScannedSystem scanned(code, entry_table("first", "interrupt") + entry_table("second", "interrupt"));
  EXPECT_EQ(scanned.warnings(), (Set{"x: first / second", "x: second / second"}));
  ScannedSystem closed("int x; void first(void) { x++; } void second(void) { x--; }",
                       entry_table("first", "interrupt") + entry_table("second", "interrupt"));
  EXPECT_EQ(closed.warnings(), Set{});
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::pipeline
