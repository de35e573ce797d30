// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "frontend/scratch_source.h"
#include "program/link/link.h"
#include "program/unit/unit_file.h"
#include "program/unit/valid_program.h"

namespace heddle::frontend {
namespace HEDDLE_TEST_FILE {

std::string print(const Program& program) {
  std::ostringstream out;
  print_program(out, program);
  return out.str();
}

std::vector<std::string> test_programs() {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(HEDDLE_TEST_DATA "/programs")) {
    const std::string suffix = entry.path().extension().string();
    if (suffix == ".c" || suffix == ".cpp" || suffix == ".i") out.push_back(entry.path().string());
  }
  std::ranges::sort(out);
  return out;
}

constexpr std::size_t shares = 8;  // so that several cores can take part

class UnitRoundTrip : public ::testing::TestWithParam<std::size_t> {};

TEST_P(UnitRoundTrip, EveryTestProgramComesBackFromItsFile) {
  const std::vector<std::string> paths = test_programs();
  EXPECT_GT(paths.size(), 50u);
  for (std::size_t number = GetParam(); number < paths.size(); number += shares) {
    const std::string& path = paths[number];
    const auto unit = read_unit({path, {}}, {});
    if (!unit) continue;  // some of them are for another compiler setting; run_programs.py knows
    const auto valid = check_program(*unit);
    EXPECT_TRUE(valid) << path << ": " << valid.error().message;
    const std::string bytes = encode_unit(*unit);
    const auto again = decode_unit(bytes);
    ASSERT_TRUE(again) << path << ": " << again.error().message;
    EXPECT_EQ(print(*again), print(*unit)) << path;
    EXPECT_EQ(encode_unit(*again), bytes) << path;
    for (std::size_t i = 0; i < unit->functions.size(); ++i)
      EXPECT_EQ(again->functions[FunctionId(i)].hash, unit->functions[FunctionId(i)].hash) << path;
  }
}

INSTANTIATE_TEST_SUITE_P(Share, UnitRoundTrip, ::testing::Range(std::size_t{0}, shares));

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::frontend
