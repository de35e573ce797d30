// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The judge `values` on the warnings of a scan. Each row is a program of which a scan without it suspects something:
// the variables that it refutes, and those that have to stay. Most rows come in pairs, of which one has a race.
#include "judge/values/values_judge.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "frontend/scratch_source.h"
#include "pipeline/check.h"
#include "pipeline/scan.h"

namespace heddle {
namespace HEDDLE_TEST_FILE {

constexpr const char* prelude = R"(#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
int x, y, data;
int a[8], n;
atomic_int flag, ready;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_t s, t;
#define THREAD(f) void *f(void *arg)
#define GO(h, f, v) pthread_create(&h, 0, f, (void *)(long)(v))
#define END(h) pthread_join(h, 0)
)";

struct Said {
  std::set<std::string> refuted, open;  ///< variables; those of `open` have a pair that is not refuted
  std::set<std::string> proofs, assumptions;
  std::string error;
};

Said said_of(const RaceReport& report) {
  Said out;
  for (const ReportRace& race : report.races) {
    const std::string variable = race.variable.substr(0, race.variable.find_first_of("[."));
    (race.verdict == RaceVerdict::Refuted ? out.refuted : out.open).insert(variable);
    if (race.verdict == RaceVerdict::Refuted) out.proofs.insert(race.proof);
  }
  for (const std::string& variable : out.open) out.refuted.erase(variable);
  out.assumptions.insert(report.assumptions.begin(), report.assumptions.end());
  return out;
}

Said scan_of(const std::string& text, const scan::ScanOptions& how = {}, const std::string& models = {}) {
  const frontend::ScratchFolder folder;
  pipeline::Input input;
  input.sources = {{folder.write("unit.c", prelude + text), {}}};
  if (!models.empty()) input.model_files = {folder.write("models.toml", models)};
  pipeline::ScanOptions options;
  options.how = how;
  const auto result = pipeline::scan(input, options);
  if (result) return said_of(result->report);
  Said failed;
  failed.error = result.error().message;
  return failed;
}

struct Row {
  const char* name;
  std::set<std::string> refuted, open;
  const char* text;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

class ValuesOfScan : public testing::TestWithParam<Row> {};

TEST_P(ValuesOfScan, Says) {
  const Said said = scan_of(GetParam().text);
  EXPECT_EQ(said.error, "");
  EXPECT_EQ(said.refuted, GetParam().refuted);
  EXPECT_EQ(said.open, GetParam().open);
  scan::ScanOptions without;
  without.values = without.transactions = false;
  const Said before = scan_of(GetParam().text, without);
  std::set<std::string> all = GetParam().refuted;
  all.insert(GetParam().open.begin(), GetParam().open.end());
  EXPECT_EQ(before.open, all) << "what a scan alone suspects";
}

const Row rows[] = {
    {"ElementsOfTheirOwn",
     {"a"},
     {},
     "THREAD(w) { a[(long)arg] = 1; return 0; } int main(void) { GO(s, w, 0); GO(t, w, 1); END(s); END(t); }"},
    {"OneElementOfTwo",
     {},
     {"a"},
     "THREAD(w) { a[(long)arg] = 1; return 0; } int main(void) { GO(s, w, 1); GO(t, w, 1); END(s); END(t); }"},
    {"AMessageBeforeItsFlag",
     {},
     {"data"},
     "THREAD(w) { atomic_store_explicit(&flag, 1, memory_order_release); data = 7; return 0; }"
     "int main(void) { GO(s, w, 0); if (atomic_load_explicit(&flag, memory_order_acquire)) x = data; END(s); }"},
    {"AMessageByAWeakFlag",
     {},
     {"data"},
     "THREAD(w) { data = 7; atomic_store_explicit(&flag, 1, memory_order_relaxed); return 0; }"
     "int main(void) { GO(s, w, 0); if (atomic_load_explicit(&flag, memory_order_relaxed)) x = data; END(s); }"},
    {"AValueThatDecides",
     {"x"},
     {},
     "THREAD(w) { if (n == 2) x = 1; return 0; } int main(void) { n = 1; GO(s, w, 0); x = 2; END(s); }"},
    {"AValueThatDecidesOtherwise",
     {},
     {"x"},
     "THREAD(w) { if (n == 2) x = 1; return 0; } int main(void) { n = 2; GO(s, w, 0); x = 2; END(s); }"},
    {"OneOfTwoVariables",
     {"x"},
     {"y"},
     "THREAD(w) { if (n == 2) x = 1; y = 1; return 0; } int main(void) { n = 1; GO(s, w, 0); x = 2; y = 2; END(s); }"},
    {"CodeThatNobodyKnows",
     {},
     {"x"},
     "extern void elsewhere(void);"
     "THREAD(w) { if (n == 2) x = 1; return 0; } int main(void) { n = 1; GO(s, w, 0); elsewhere(); x = 2; END(s); }"},
};
INSTANTIATE_TEST_SUITE_P(Programs, ValuesOfScan, testing::ValuesIn(rows),
                         [](const auto& info) { return std::string(info.param.name); });

constexpr const char* decides =
    "THREAD(w) { if (n == 2) x = 1; return 0; } int main(void) { n = 1; if (GO(s, w, 0)) return 1; x = 2; END(s); }";

TEST(ValuesJudge, NamesItsFormAndItsAssumptions) {
  const Said said = scan_of(decides);
  EXPECT_EQ(said.proofs, std::set<std::string>{"values"});
  EXPECT_TRUE(said.assumptions.contains("creation-succeeds")) << testing::PrintToString(said.assumptions);
}

TEST(ValuesJudge, ASoundScanRestsOnNoneOfThem) {
  scan::ScanOptions sound;
  sound.assumptions = scan::Assumptions::none();
  const Said said = scan_of(decides, sound);  // its caller treats the failure
  EXPECT_EQ(said.refuted, std::set<std::string>{"x"});
  EXPECT_FALSE(said.assumptions.contains("creation-succeeds"));
}

constexpr const char* racy_index =
    "THREAD(w) { int i = n; a[i & 3] = 1; return 0; } int main(void) { if (GO(s, w, 0)) return 1; n = 3; a[5] = 2; "
    "END(s); }";

TEST(ValuesJudge, NamesWhatItAssumesOfOtherRaces) {
  const Said said = scan_of(racy_index);
  EXPECT_EQ(said.refuted, std::set<std::string>{"a"});
  EXPECT_EQ(said.open, std::set<std::string>{"n"});
  EXPECT_TRUE(said.assumptions.contains("races-interleave"));
  EXPECT_FALSE(scan_of(decides).assumptions.contains("races-interleave"));  // no other pair is left
}

TEST(ValuesJudge, ASoundScanAssumesNothingOfOtherRaces) {
  scan::ScanOptions sound;
  sound.assumptions = scan::Assumptions::none();
  EXPECT_EQ(scan_of(racy_index, sound).open, (std::set<std::string>{"a", "n"}));
}

TEST(ValuesJudge, SaysNothingWhereOthersRunBesides) {
  EXPECT_EQ(scan_of(std::string("void other(void) { y = 1; }") + decides, {},
                    "[[entry]]\nfunction = \"other\"\ncontext = \"thread\"\n")
                .open,
            (std::set<std::string>{"x", "y"}));
}

TEST(ValuesJudge, IsAskedByCheckToo) {
  const frontend::ScratchFolder folder;
  pipeline::Input input;
  input.sources = {{folder.write("unit.c", std::string(prelude) + decides), {}}};
  pipeline::CheckOptions options;
  options.search_budget = 0;
  const auto result = pipeline::check(input, options);
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(said_of(result->report).proofs, std::set<std::string>{"values"});
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle
