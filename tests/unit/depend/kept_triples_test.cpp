// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "base/read_file.h"
#include "frontend/scratch_source.h"
#include "pipeline/depend/kept_triples.h"
#include "tests/unit/depend/system_of.h"

namespace heddle::pipeline {
namespace HEDDLE_TEST_FILE {

const std::string code =
    "int x, y, z; int get(void); int raw(void);\n"
    "void task(void) {\n  if (get() != 77) return;\n  y = x;\n  z = x;\n}\n"
    "void isr(void) {\n  x = raw();\n}\n";

/// Sources with their heddle.toml in a folder, and schedules that are kept there.
class Kept {
 public:
  explicit Kept(const std::string& source = code, const std::string& more = "") {
    write(source);
    toml_ =
        folder_.write("heddle.toml", depend::entry_table("task", "task", "priority = 1") +
                                         depend::entry_table("isr", "interrupt", "priority = 2\nnumber = 3") + more);
  }

  void write(const std::string& source) { source_ = folder_.write("a.c", source); }
  void write_system(const std::string& toml) { folder_.write("heddle.toml", toml); }

  /// What `heddle depend --keep` says.
  std::string keep() {
    Input input;
    input.sources = {{source_, {}}};
    input.model_files = {toml_};
    const auto found = depend_triples(input, {.settles = Settling::Yes, .kept = kept()});
    return found ? found->text : found.error().message;
  }

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& file : std::filesystem::directory_iterator(kept())) out.push_back(file.path().filename().string());
    std::ranges::sort(out);
    return out;
  }

  /// What `heddle replay` says, without the folder.
  [[nodiscard]] std::string replay(const std::string& name, std::uint64_t times = 1) const {
    const auto schedule = race::read_schedule(kept() + "/" + name);
    if (!schedule) return schedule.error().message;
    const auto shown = replay_triple(*schedule, "file", times, {});
    return shown ? *shown : shown.error().message;
  }

 private:
  [[nodiscard]] std::string kept() const { return std::filesystem::path(source_).parent_path() / "kept"; }

  frontend::ScratchFolder folder_;
  std::string source_, toml_;
};

const std::string story =
    "x<R#4>,<W#8>,<R#5>\n  'task' begins\n  'get' gives 77 to 'task' at a.c:3\n  'task' reads x = 0 at a.c:4\n"
    "  'isr' comes, before a.c:5 of 'task'\n  'raw' gives 1 to 'isr' at a.c:8\n  'isr' writes x = 1 at a.c:8\n"
    "  'isr' ends\n  'task' reads x = 1 at a.c:5\n";

TEST(KeptTriples, AreShownAgain) {
  Kept kept;
  EXPECT_TRUE(kept.keep().contains("again: heddle replay "));
  ASSERT_EQ(kept.names(), std::vector<std::string>{"x-R4-W8-R5.schedule"});
  EXPECT_EQ(kept.replay("x-R4-W8-R5.schedule"), story);
  EXPECT_EQ(kept.replay("x-R4-W8-R5.schedule", 3), story);
}

TEST(KeptTriples, OfAProgramThatHasChangedInOtherPlacesStillFit) {
  Kept kept;
  kept.keep();
  kept.write(code + "int unused;\n");
  EXPECT_EQ(kept.replay("x-R4-W8-R5.schedule"), story);
  kept.write(std::regex_replace(code, std::regex("y = x"), "y = x + 1"));
  EXPECT_EQ(kept.replay("x-R4-W8-R5.schedule"), story);
}

TEST(KeptTriples, SayWhichTurnDoesNotFitAnyMore) {
  Kept kept;
  kept.keep();
  const auto changed = [&](const std::string& from, const std::string& to) {
    kept.write(std::regex_replace(code, std::regex(from), to));
    return kept.replay("x-R4-W8-R5.schedule");
  };
  const std::string end = "; have the sources or heddle.toml changed since?";
  EXPECT_EQ(changed("!= 77", "!= 78"),
            "file: turn 3 of 6 does not fit the program: it is of line 4, and nobody runs" + end);
  EXPECT_EQ(changed("get\\(\\) != 77", "z"),
            "file: turn 2 of 6 does not fit the program: it is of line 3, and the run stands in line 4" + end);
  EXPECT_EQ(changed("x = raw\\(\\)", "if (y == 2) x = raw()"),
            "file: turn 5 of 6 does not fit the program: it is of line 5, and the run stands in line 4" + end);
  EXPECT_EQ(changed("z = x", "z = y"), "file: the program has no accesses of 'x' in the lines of x<R#4>,<W#8>,<R#5>");
  EXPECT_TRUE(changed("void isr", "void other").contains("there is no function 'isr'"));
}

TEST(KeptTriples, FollowWhatIsSaidOfTheSystem) {
  Kept kept;
  kept.keep();
  using depend::entry_table;
  kept.write_system(entry_table("task", "task", "priority = 1") + entry_table("isr", "interrupt", "priority = 1"));
  EXPECT_TRUE(kept.replay("x-R4-W8-R5.schedule").contains("does not fit the program"));
  kept.write_system(entry_table("task", "task", "priority = 1") + entry_table("isr", "interrupt", "priority = 2") +
                    "[system]\ncores = 2\n");
  EXPECT_EQ(kept.replay("x-R4-W8-R5.schedule"), "file: the system has several cores now, and the schedule is of one");
}

TEST(KeptTriples, OfTwoVariablesHaveBothInTheirNames) {
  Kept kept(
      "int x, y, m, n; int raw(void);\nvoid task(void) {\n  m = x;\n  n = y;\n}\n"
      "void isr(void) {\n  x = raw();\n  y = x;\n}\n",
      "[system]\nredundant = [[\"x\", \"y\"]]\n");
  kept.keep();
  ASSERT_EQ(kept.names(), (std::vector<std::string>{"x.y-R3-W7-R4.schedule", "x.y-R3-W8-R4.schedule"}));
  for (const std::string& name : kept.names()) EXPECT_TRUE(kept.replay(name).contains("'task' reads y")) << name;
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::pipeline
