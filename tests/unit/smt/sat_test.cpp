// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "smt/sat.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace heddle::smt {
namespace HEDDLE_TEST_FILE {

TEST(Sat, FindsAModelAndKeepsToAssumptions) {
  Sat sat{Stop{}};
  const Literal a = sat.fresh(), b = sat.fresh();
  sat.add({a, b});
  sat.add({!a, b});
  ASSERT_EQ(sat.solve({}, 1000), Answer::Sat);
  EXPECT_TRUE(sat.value(b));
  EXPECT_FALSE(sat.value(!b));
  EXPECT_EQ(sat.solve(std::array{!b}, 1000), Answer::Unsat);
  EXPECT_EQ(sat.solve(std::array{!a}, 1000), Answer::Sat);
  EXPECT_FALSE(sat.value(a));
}

/// So many things and one place less: no short proof exists.
void add_pigeons(Sat& sat, std::size_t pigeons) {
  std::vector<std::vector<Literal>> sits(pigeons);
  for (auto& row : sits) {
    for (std::size_t hole = 0; hole + 1 < pigeons; ++hole) row.push_back(sat.fresh());
    sat.add(row);
  }
  for (std::size_t hole = 0; hole + 1 < pigeons; ++hole)
    for (std::size_t i = 0; i < pigeons; ++i)
      for (std::size_t k = 0; k < i; ++k) sat.add({!sits[i][hole], !sits[k][hole]});
}

TEST(Sat, SaysUnknownAtItsLimitAndUnsatWithoutOne) {
  Sat sat{Stop{}};
  add_pigeons(sat, 7);
  EXPECT_EQ(sat.solve({}, 10), Answer::Unknown);
  EXPECT_EQ(sat.solve({}, 1'000'000), Answer::Unsat);
}

TEST(Sat, EndsWhereItIsToldToStop) {
  const std::atomic<bool> interrupted = true;
  Sat sat{Stop(0, &interrupted)};
  add_pigeons(sat, 12);
  EXPECT_EQ(sat.solve({}, 100'000'000), Answer::Unknown);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::smt
