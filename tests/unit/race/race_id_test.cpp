// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "race/race_id.h"

#include <gtest/gtest.h>

#include <map>

#include "frontend/scratch_source.h"
#include "pipeline/verify.h"
#include "program/model/program_builder.h"
#include "race/access_id.h"

namespace heddle::race {
namespace HEDDLE_TEST_FILE {

TEST(RaceId, TheOrderOfTheSidesDoesNotMatter) {
  const IdSide a{"x", "f", AccessKind::Write, 0};
  const IdSide b{"x", "g", AccessKind::Read, 1};
  EXPECT_EQ(race_id(a, b), race_id(b, a));
  EXPECT_EQ(race_id(a, b).size(), 12U);
}

TEST(RaceId, EachPartCounts) {
  const IdSide a{"x", "f", AccessKind::Write, 0};
  const IdSide b{"x", "g", AccessKind::Read, 0};
  const std::string id = race_id(a, b);
  EXPECT_NE(id, race_id(a, {"y", "g", AccessKind::Read, 0}));
  EXPECT_NE(id, race_id(a, {"x", "h", AccessKind::Read, 0}));
  EXPECT_NE(id, race_id(a, {"x", "g", AccessKind::Write, 0}));
  EXPECT_NE(id, race_id(a, {"x", "g", AccessKind::Read, 1}));
  EXPECT_NE(id, race_id(a, {"x", "g", AccessKind::Free, 0}));
  EXPECT_EQ(race_id(a, {"x", "g", AccessKind::Write, 0}), race_id(a, {"x", "g", AccessKind::Update, 0}))
      << "stages that know no updates mean the same access";
}

/// (variable, kinds) -> id, of a program with races on x and y.
std::map<std::string, std::string> ids_of(const std::string& body, std::uint64_t search_budget) {
  const frontend::ScratchFolder folder;
  pipeline::Input input;
  input.sources = {{folder.write("unit.c", "#include <pthread.h>\n" + body), {}}};
  pipeline::VerifyOptions options;
  options.search_budget = search_budget;
  const Result<RaceReport> report = pipeline::verify(input, options);
  EXPECT_TRUE(report.has_value());
  std::map<std::string, std::string> out;
  for (const ReportRace& race : report.value_or(RaceReport{}).races)
    out[race.variable + " " + race.accesses[0].kind + "/" + race.accesses[1].kind + " " + race.accesses[0].function +
        "/" + race.accesses[1].function] = race.id;
  return out;
}

constexpr const char* before = R"(
int x, y;
static void *tick(void *a) { y++; x++; return a; }
int main(void) { pthread_t t; pthread_create(&t, 0, tick, 0); x = 1; y = 2; pthread_join(t, 0); return 0; }
)";
constexpr const char* after = R"(
/* some lines
   more */
int x, y;
static void *tick(void *a) { y++; y--; x++; return a; }
int main(void) { pthread_t t; pthread_create(&t, 0, tick, 0); x = 1; y = 2; pthread_join(t, 0); return 0; }
)";

TEST(RaceId, SurvivesEditsInsideTheFunction) {
  const auto old_ids = ids_of(before, 0);
  const auto new_ids = ids_of(after, 0);
  ASSERT_GE(old_ids.size(), 4U);
  for (const auto& [race, id] : old_ids)
    if (race.starts_with("x")) EXPECT_EQ(new_ids.at(race), id) << race;
}

TEST(RaceId, IsTheSameForARaceThatTheSearchConfirmed) {
  const auto suspected = ids_of(before, 0);
  const auto searched = ids_of(before, 1'000'000);
  for (const auto& [race, id] : searched)
    if (suspected.contains(race)) EXPECT_EQ(suspected.at(race), id) << race;
}

TEST(AccessId, IsOfThePlaceAndKind) {
  ProgramBuilder b;
  FunctionBuilder& f = b.function("f", b.void_type(), {b.ptr_type()});
  f.at(3, 5);
  f.load(b.int_type(32), f.param(0));
  f.load(b.int_type(32), f.param(0));
  f.ret();
  const Program p = b.take();
  const Access first{FunctionId(0), 0, AccessKind::Read};
  const Access second{FunctionId(0), 1, AccessKind::Read};
  EXPECT_NE(access_id(p, first), access_id(p, second));
  EXPECT_EQ(access_id(p, first), access_id(p, first));
  EXPECT_EQ(access_id(p, first).hex().size(), 16U);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::race
