// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "frontend/scratch_source.h"
#include "host/json_reader.h"
#include "pipeline/depend/depend.h"

namespace heddle::pipeline {
namespace HEDDLE_TEST_FILE {

const std::string system_text =
    "[[entry]]\nfunction = \"task\"\nkind = \"task\"\npriority = 1\n"
    "[[entry]]\nfunction = \"isr\"\nkind = \"interrupt\"\npriority = 2\n";

/// Two readings of x that the interrupt can come between, and two of y that a flag keeps it from, in a way that is hard
/// to see without running.
const std::string code =
    "int x, y, busy, out; int get(void); static void set(int on) { busy = on; }\n"
    "void task(void) {\n"
    "  out = x;\n"
    "  out += x;\n"
    "  set(1);\n"
    "  out += y;\n"
    "  out += y;\n"
    "  set(0);\n"
    "}\n"
    "void isr(void) {\n"
    "  x = get();\n"
    "  if (busy * busy + busy != 2) y = get();\n"
    "}\n";

Depended depended(bool only_triples, bool settles, bool as_json = false) {
  DependOptions options;
  options.only_triples = only_triples;
  options.as_json = as_json;
  options.width = 1000;
  options.settles = settles ? Settling::Yes : Settling::No;
  const frontend::ScratchFolder folder;
  Input input;
  input.sources = {{folder.write("unit.c", code), {}}};
  input.model_files = {folder.write("heddle.toml", system_text)};
  auto found = depend_triples(input, options);
  EXPECT_TRUE(found.has_value()) << found.error().message;
  return found ? *found : Depended{};
}

TEST(DependText, WithoutSettlingNothingIsLeftOut) {
  const Depended found = depended(true, false);
  EXPECT_TRUE(found.text.contains("x<R#3>,<W#11>,<R#4>\n")) << found.text;
  EXPECT_TRUE(found.text.contains("y<R#6>,<W#12>,<R#7>\n")) << found.text;
}

TEST(DependText, RefutedTriplesAreLeftOutOfTheList) {
  const Depended found = depended(true, true);
  EXPECT_TRUE(found.text.contains("x<R#3>,<W#11>,<R#4>\n")) << found.text;
  EXPECT_FALSE(found.text.contains("y<R#6>")) << found.text;
  EXPECT_EQ(found.triples, static_cast<std::size_t>(std::ranges::count(found.text, '\n')));
}

TEST(DependText, TheReportSaysWhatBecameOfEach) {
  const Depended found = depended(false, true);
  EXPECT_TRUE(
      found.text.contains("x<R#3>,<W#11>,<R#4>\n    two reads of 'x' may find different values\n"
                          "    'task' (task, priority 1), interrupted by 'isr' (interrupt, priority 2)\n"))
      << found.text;
  EXPECT_TRUE(found.text.contains("\n    interval: task, from line 3 to line 4\n    fix: read 'x' once into a local "))
      << found.text;
  EXPECT_TRUE(found.text.contains("between them\n    confirmed\n      'task' begins\n")) << found.text;
  EXPECT_TRUE(found.text.contains("    refuted\n")) << found.text;
  EXPECT_TRUE(found.text.contains(" confirmed, 1 refuted, 0 not decided\n")) << found.text;
}

TEST(DependText, JsonHasPlacesWordsAndVerdicts) {
  const Depended found = depended(false, true, true);
  std::istringstream text(found.text);
  host::JsonReader reader(text);
  std::set<std::string> keys;
  const bool is_json = reader.read_object([&](const std::string& key) {
    if (key != "triples") return reader.skip_value();
    return reader.read_array([&] {
      return reader.read_object([&](const std::string& inner) {
        keys.insert(inner);
        return reader.skip_value();
      });
    });
  });
  EXPECT_TRUE(is_json && reader.read_end()) << reader.message() << found.text;
  EXPECT_EQ(keys, (std::set<std::string>{"id", "triple", "title", "entry", "interrupter", "in_steps", "first",
                                         "between", "second", "interval", "fix", "verdict", "schedule"}));
  EXPECT_TRUE(found.text.contains("\"triple\": \"y<R#6>,<W#12>,<R#7>\"")) << found.text;
  EXPECT_TRUE(found.text.contains("\"verdict\": \"refuted\"")) << found.text;
}

TEST(DependText, TheReportForSarifHasThreePlaces) {
  const Depended found = depended(true, true);
  ASSERT_FALSE(found.report.races.empty());
  const ReportRace& race = found.report.races.front();
  EXPECT_EQ(race.verdict, RaceVerdict::Confirmed);
  std::string places;
  for (const ReportAccess& one : race.accesses)
    places += one.kind + " " + one.path + " " + std::to_string(one.line) + " " + one.thread + "; ";
  EXPECT_EQ(places, "read x 3 task; write x 11 isr; read x 4 task; ");
  std::set<std::string> ids;
  for (const ReportRace& one : found.report.races) ids.insert(one.id);
  EXPECT_EQ(ids.size(), found.report.races.size());
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::pipeline
