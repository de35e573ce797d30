// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random systems, settled by the judge and by an enumeration of their statements. The two have to agree on every
// triple.
#include <gtest/gtest.h>

#include <cstdlib>

#include "depend/judge/settle.h"
#include "tests/unit/depend/enumeration.h"
#include "tests/unit/depend/system_of.h"

namespace heddle::depend {
namespace HEDDLE_TEST_FILE {

/// An instruction on the line stands for it: what is looked for is the line, the variable and the kind.
Access access_of(const Program& program, const Touch& touch) {
  Access access;
  access.variable = program.find_global(name_of(touch.variable));
  access.reads = !touch.writes;
  access.writes = touch.writes;
  for (std::size_t f = 0; f < program.functions.size(); ++f) {
    const Function& function = program.functions[FunctionId(f)];
    for (std::size_t i = 0; i < function.instructions.size(); ++i) {
      const LocationId at = function.instructions[i].location;
      if (!at || program.locations[at].line != static_cast<std::uint32_t>(touch.line)) continue;
      access.function = FunctionId(f);
      access.instruction = i;
    }
  }
  EXPECT_TRUE(access.function.valid());
  return access;
}

std::string described(const std::array<Touch, 3>& triple) {
  std::string out;
  for (const Touch& touch : triple)
    out += name_of(touch.variable) + (touch.writes ? "<W#" : "<R#") + std::to_string(touch.line) + ">";
  return out;
}

TestSystem system_of(const Code& code) {
  if (code.has == Has::Locks)
    return TestSystem(code.text, entry_table("task", "task", "priority = 1") +
                                     entry_table("isr", "task", "priority = 2") +
                                     entry_table("high", "task", "priority = 3"));
  return TestSystem(code.text, (code.has == Has::Main ? "" : entry_table("task", "task", "priority = 1")) +
                                   entry_table("isr", "interrupt", "priority = 2\nnumber = 3") +
                                   entry_table("high", "interrupt", "priority = 3\nnumber = 4") +
                                   "[[mask]]\ndisable = \"off\"\nenable = \"on\"\nargument = 0\nall = 255\n"
                                   "[[mask]]\ndisable = \"save\"\nrestore = \"back\"\n"
                                   "[system]\natomic_bytes = 4\n");
}

struct Counted {
  std::size_t confirmed = 0, refuted = 0, open = 0;
};

/// Who has borrowed a priority, or has lent it to one who waits himself.
bool is_left_open(const Verdict& verdict) { return verdict.why.ends_with("may be lent on"); }

void compare(std::uint32_t seed, Has has, Counted& counted) {
  std::mt19937 random(seed);
  const Code code(random, has);
  const TestSystem made = system_of(code);
  ASSERT_TRUE(made.system.has_value()) << made.message();
  const std::vector<std::array<Touch, 3>> wanted = triples_of(code);
  std::vector<Triple> triples;
  for (const auto& [first, between, second] : wanted)
    triples.push_back({0,
                       1,
                       access_of(made.program, first),
                       access_of(made.program, between),
                       access_of(made.program, second),
                       first.writes,
                       between.writes,
                       second.writes,
                       {},
                       {},
                       {},
                       first.variable == wide});
  TestFacts known(made);
  const std::vector<Verdict> verdicts =
      settle(known.facts, triples, {.steps = 60'000'000, .time = std::chrono::hours(24)});
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const bool happens = Enumeration(code, wanted[i]).happens();
    const bool is_open = has == Has::Locks && is_left_open(verdicts[i]);
    if (!is_open)
      EXPECT_EQ(to_text(verdicts[i]), happens ? "confirmed" : "refuted")
          << "seed " << seed << ", " << described(wanted[i]) << "\n"
          << code.text;
    ++(is_open ? counted.open : happens ? counted.confirmed : counted.refuted);
  }
}

Has masks_or_main(std::uint32_t seed) { return seed % 3 == 0 ? Has::Main : Has::Masks; }

TEST(SettleRandom, AgreesWithAnEnumerationOfStatements) {
  Counted counted;
  for (std::uint32_t seed = 1; seed <= 10; ++seed) compare(seed, masks_or_main(seed), counted);
  // Both kinds are there in numbers: the programs tell something.
  EXPECT_GT(counted.confirmed, 40U);
  EXPECT_GT(counted.refuted, 40U);
}

TEST(SettleRandom, AgreesOnLocks) {
  Counted counted;
  for (std::uint32_t seed = 1; seed <= 30; ++seed) compare(seed, Has::Locks, counted);
  EXPECT_GT(counted.confirmed, 20U);
  EXPECT_GT(counted.refuted, 10U);
  EXPECT_LT(counted.open, counted.refuted);
}

TEST(SettleRandom, AgreesOnAccessesInSteps) {
  Counted counted;
  for (std::uint32_t seed = 1; seed <= 40; ++seed) compare(seed, Has::Wide, counted);
  EXPECT_GT(counted.confirmed, 10U);
  EXPECT_GT(counted.refuted, 10U);
}

/// Long: HEDDLE_SEEDS=100 tries the seeds from 1 to 100, HEDDLE_FIRST_SEED=50 those from 50 on.
TEST(SettleRandom, AgreesWithMoreSeeds) {
  const char *last = std::getenv("HEDDLE_SEEDS"), *first = std::getenv("HEDDLE_FIRST_SEED");
  if (last == nullptr) GTEST_SKIP() << "HEDDLE_SEEDS is not set";
  Counted counted;
  for (std::uint32_t seed = first == nullptr ? 1 : static_cast<std::uint32_t>(std::stoul(first));
       seed <= std::stoul(last); ++seed)
    for (const Has has : {masks_or_main(seed), Has::Locks, Has::Wide}) compare(seed, has, counted);
}

/// A flag that is set and cleared, and only asked, is left out on purpose.
bool is_flag(const Code& code, const std::array<Touch, 3>& triple) {
  const auto kind = [&](const Touch& touch) {
    std::size_t e = 2;
    while (touch.line < code.first_line[e]) --e;
    return code.bodies[e][static_cast<std::size_t>(touch.line - code.first_line[e])].kind;
  };
  const auto is_constant = [&](const Touch& touch) {
    return kind(touch) == Statement::Kind::Set || kind(touch) == Statement::Kind::Put ||
           kind(touch) == Statement::Kind::PutElement || kind(touch) == Statement::Kind::Point;
  };
  return is_constant(triple[0]) && is_constant(triple[2]) && kind(triple[1]) == Statement::Kind::If;
}

/// Every triple that happens is found without being run.
std::size_t look_for_missing(std::uint32_t seed) {
  std::mt19937 random(seed);
  const Code code(random, masks_or_main(seed));
  const TestSystem made = system_of(code);
  TestFacts known(made);
  std::set<std::string> listed;
  for (const Triple& triple : find_triples(known.facts).all) listed.insert(to_text(made.program, triple));
  std::size_t happened = 0;
  for (const std::array<Touch, 3>& triple : triples_of(code)) {
    if (is_flag(code, triple) || !Enumeration(code, triple, Counts::Strict).happens()) continue;
    ++happened;
    std::string text = name_of(triple[0].variable);
    for (std::size_t i = 0; i < 3; ++i)
      text += std::string(i > 0 ? "," : "") + (triple[i].writes ? "<W#" : "<R#") + std::to_string(triple[i].line) + ">";
    EXPECT_TRUE(listed.contains(text)) << "seed " << seed << ", " << text << "\n" << code.text;
  }
  return happened;
}

TEST(TriplesRandom, WhatHappensIsFound) {
  std::size_t happened = 0;
  for (std::uint32_t seed = 1; seed <= 8; ++seed) happened += look_for_missing(seed);
  EXPECT_GT(happened, 20U);
}

/// Long: HEDDLE_SEEDS=100 tries the seeds from 1 to 100 (docs/random-programs.md).
TEST(TriplesRandom, WhatHappensIsFoundWithMoreSeeds) {
  const char* seeds = std::getenv("HEDDLE_SEEDS");
  if (seeds == nullptr) GTEST_SKIP() << "HEDDLE_SEEDS is not set";
  for (std::uint32_t seed = 1; seed <= std::stoul(seeds); ++seed) look_for_missing(seed);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::depend
