// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/evidence/all_races.h"

#include <gtest/gtest.h>

#include <set>

#include "explore/c_prelude.h"
#include "explore/interpreted/interpreted_program.h"
#include "frontend/scratch_source.h"
#include "pipeline/load.h"

namespace heddle::explore {
namespace HEDDLE_TEST_FILE {

/// The variables of the racing pairs, each pair once.
std::multiset<std::string> racing(const std::string& first, const std::string& second, bool prune) {
  const frontend::ScratchFolder folder;
  pipeline::Input input;
  input.sources.push_back({folder.write("case.c", std::string(prelude) + "void *t1(void *p) { " + first +
                                                      " return 0; }\nvoid *t2(void *p) { " + second +
                                                      " return 0; }\nint main(void) { pthread_t a, b; "
                                                      "pthread_create(&a, 0, t1, 0); pthread_create(&b, 0, t2, 0); "
                                                      "pthread_join(a, 0); pthread_join(b, 0); return 0; }\n"),
                           {}});
  const Result<Program> program = pipeline::load(input);
  const Result<api::ApiModels> models = pipeline::load_models(input);
  InterpretedProgram subject(*program, *models);
  ExhaustOptions options;
  options.prune = prune;
  const AllRaces all = find_all_races(subject, options, {}, UINT64_MAX, {});
  EXPECT_TRUE(all.sights.statistics.complete);
  EXPECT_EQ(all.sights.unconfirmed, 0U);
  EXPECT_FALSE(subject.looked_for());
  std::multiset<std::string> variables;
  for (const ConfirmedRace& race : all.races) variables.insert(race.race.variable);
  return variables;
}

TEST(AllRaces, EveryPairThatRacesIsFound) {
  using Names = std::multiset<std::string>;
  for (const bool prune : {false, true}) {
    EXPECT_EQ(racing("x = 1; LOCK(m); y = 1; UNLOCK(m); z = 1;",
                     "int k; LOCK(m); k = y; UNLOCK(m); z = 2; if (!k) x = 2;", prune),
              (Names{"x", "z"}));
    EXPECT_EQ(racing("x = 1;", "x = 2; x = 3;", prune), (Names{"x", "x"})) << "both pairs";
    EXPECT_EQ(racing("x = 1;", "int k = x; k += x;", prune), (Names{"x", "x"})) << "also where reads follow each other";
    EXPECT_EQ(racing("LOCK(m); x = 1; UNLOCK(m); x = 4;", "LOCK(m); x = 2; UNLOCK(m);", prune), Names{"x"});
    EXPECT_EQ(racing("LOCK(m); x = 1; UNLOCK(m);", "LOCK(m); x = 2; UNLOCK(m);", prune), Names{});
  }
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::explore
