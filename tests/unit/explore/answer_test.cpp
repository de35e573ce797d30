// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/launch/answer.h"

#include <gtest/gtest.h>

namespace heddle::explore {
namespace HEDDLE_TEST_FILE {

std::string race_text(const std::string& variable) {
  return "race \nschedule heddle-schedule 1\\nprogram x\\nrun 0 1\\nrace 0 1\\n\nvariable " + variable +
         "\nswitches 1\naccess write\nline 3\naccess read\nline 4\nend \n";
}

TEST(DriverAnswer, HasEveryRaceWithItsPair) {
  const auto answer = parse_answer("begun run 3\npair 00ff 10\n" + race_text("a") + "pair 1 2\n" + race_text("b") +
                                   "begun approach 7\nmade 2\nmade 0\ndone \n");
  ASSERT_TRUE(answer.has_value()) << answer.error().message;
  ASSERT_EQ(answer->races.size(), 2U);
  EXPECT_EQ(answer->races[0].first_access, 0xffU);
  EXPECT_EQ(answer->races[0].second_access, 0x10U);
  EXPECT_EQ(answer->races[1].variable, "b");
  EXPECT_EQ(answer->race->variable, "a");
  EXPECT_EQ(answer->begun.stage, "approach");
  EXPECT_EQ(answer->begun.number, 7U);
  EXPECT_EQ(answer->reached, (std::vector<std::uint32_t>{2, 0}));
}

TEST(DriverAnswer, KeepsWhatWasSaidBeforeTheWorkerDied) {
  const std::string whole = "pair 1 2\n" + race_text("a") + "begun run 4\n";
  const std::string text = whole + "pair 3 4\n" + race_text("b");
  EXPECT_FALSE(parse_answer(text).has_value());
  for (std::size_t length = whole.size(); length < text.size(); ++length) {
    std::string failure;
    const DriverAnswer cut = parse_cut_answer(std::string_view(text).substr(0, length), failure);
    ASSERT_EQ(cut.races.size(), 1U) << length;
    EXPECT_EQ(cut.races[0].variable, "a");
    EXPECT_EQ(cut.begun.number, 4U);
    EXPECT_EQ(failure, "");
  }
}

TEST(DriverAnswer, KeepsWhatWasSaidBeforeAnError) {
  std::string failure;
  const DriverAnswer cut = parse_cut_answer(race_text("a") + "error it went another way\ndone \n", failure);
  EXPECT_EQ(cut.races.size(), 1U);
  EXPECT_EQ(failure, "it went another way");
}

TEST(DriverAnswer, RefusesARaceWithoutTwoSides) {
  EXPECT_FALSE(parse_answer("race \naccess read\nend \ndone \n").has_value());
  EXPECT_FALSE(parse_answer("pair 1 zz\ndone \n").has_value());
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::explore
