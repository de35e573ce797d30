// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random small models: no pair that is said to be apart meets in any execution, and the checker accepts every claim.
#include "judge/transaction/settle.h"

#include <gtest/gtest.h>

#include <random>

#include "judge/random_models.h"
#include "judge/thread_graphs/movers.h"
#include "judge/thread_graphs/reduce_threads.h"
#include "judge/thread_graphs/settled_variables.h"
#include "judge/thread_graphs/slice.h"
#include "proof/transaction/checker.h"

namespace heddle::judge::transaction {
namespace HEDDLE_TEST_FILE {

struct Counted {
  std::size_t models = 0, apart = 0, together = 0, outside = 0;
};

void look_at(std::uint32_t seed, Counted& counted) {
  std::mt19937 random(seed);
  const Model model = random_model(random);
  Executions executions(model);
  if (!executions.run(20'000)) return;
  ++counted.models;
  // All pairs, or a few of them: the fewer, the more is left out of the graph.
  std::vector<PlacePair> pairs = all_pairs();
  if (seed % 2 == 1) {
    std::ranges::shuffle(pairs, random);
    pairs.resize(1 + random() % 2);
  }
  for (const PlacePair& pair : pairs) counted.together += executions.met.contains(pair) ? 1U : 0U;
  Effort effort{20'000};
  const Settled settled = settle(model, pairs, effort);
  if (executions.is_outside) {
    ++counted.outside;
    ASSERT_TRUE(settled.claims.empty()) << "seed " << seed;
  }
  for (const Claims& claims : settled.claims) {
    for (const PlacePair& pair : claims.apart) ASSERT_FALSE(executions.met.contains(pair)) << "seed " << seed;
    counted.apart += claims.apart.size();
    const auto proof = check_in_one(model, claims.annotation, claims.apart, {});
    ASSERT_TRUE(proof) << "seed " << seed << ": " << proof.error();
  }
}

TEST(SettleTransactionsRandom, NothingThatIsApartMeets) {
  Counted counted;
  for (std::uint32_t seed = 1; seed <= 200; ++seed) look_at(seed, counted);
  // The models are ones that could show a mistake.
  EXPECT_GT(counted.models, 150U);
  EXPECT_GT(counted.apart, 100U);
  EXPECT_GT(counted.together, 50U);
  EXPECT_GT(counted.outside, 5U);
}

/// What slices, and the steps before and behind them, say is apart.
void look_at_slices(std::uint32_t seed, Counted& counted) {
  std::mt19937 random(seed);
  const Model whole = random_model(random);
  Executions executions(whole);
  if (!executions.run(20'000)) return;
  Model raw = unfinished(whole);
  if (!unruly_locks(raw).empty()) return;
  ++counted.models;
  counted.outside += executions.is_outside ? 1U : 0U;
  if (seed % 3 != 0) replace_settled_variables(raw, {});
  if (seed % 3 != 1) drop_impossible_edges(raw);
  if (seed % 2 == 0) split_by_constants(raw, seed % 4 == 0);
  const SliceOptions ways[] = {{.only = {0}, .depth = 1},
                               {.depth = 0},
                               {.depth = 1},
                               {.depth = 1, .has_addresses = true, .has_all_guards = true}};
  for (const PlacePair& pair : all_pairs()) {
    counted.together += executions.met.contains(pair) ? 1U : 0U;
    for (std::size_t how = 0; how <= std::size(ways); ++how) {
      Model part = how < std::size(ways) ? slice(raw, SliceGround(raw), pair, ways[how]) : raw;
      finish(part, how % 2 == 0);
      Effort effort{5'000};
      for (const Claims& claims : settle(part, {pair}, effort).claims) {
        ASSERT_FALSE(executions.met.contains(pair)) << "seed " << seed << ", way " << how;
        ASSERT_FALSE(executions.is_outside) << "seed " << seed << ", way " << how;
        counted.apart += claims.apart.size();
        const auto proof = check_in_one(part, claims.annotation, claims.apart, {});
        ASSERT_TRUE(proof) << "seed " << seed << ", way " << how << ": " << proof.error();
      }
    }
  }
}

TEST(SlicesRandom, NothingThatIsApartMeets) {
  Counted counted;
  for (std::uint32_t seed = 1; seed <= 30; ++seed) look_at_slices(seed, counted);
  EXPECT_GT(counted.models, 20U);
  EXPECT_GT(counted.apart, 50U);
  EXPECT_GT(counted.together, 15U);
  EXPECT_GT(counted.outside, 1U);
}

TEST(SlicesRandom, NothingThatIsApartMeetsWithMoreSeeds) {
  const char* seeds = std::getenv("HEDDLE_SEEDS");
  if (seeds == nullptr) GTEST_SKIP() << "HEDDLE_SEEDS is not set";
  Counted counted;
  for (std::uint32_t seed = 1; seed <= std::stoul(seeds); ++seed) look_at_slices(seed, counted);
}

/// Long: HEDDLE_SEEDS=3000 tries the seeds from 1 to 3000.
TEST(SettleTransactionsRandom, NothingThatIsApartMeetsWithMoreSeeds) {
  const char* seeds = std::getenv("HEDDLE_SEEDS");
  if (seeds == nullptr) GTEST_SKIP() << "HEDDLE_SEEDS is not set";
  Counted counted;
  for (std::uint32_t seed = 1; seed <= std::stoul(seeds); ++seed) look_at(seed, counted);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::judge::transaction
