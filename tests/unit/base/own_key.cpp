// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tests seal with a key of their own, and leave that of whoever runs them alone.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace heddle {
namespace {

class OwnKey : public ::testing::Environment {
 public:
  OwnKey() { ::setenv("HEDDLE_KEY_FILE", file_.c_str(), 1); }
  void TearDown() override {
    std::error_code ignored;
    std::filesystem::remove(file_, ignored);
  }

 private:
  std::string file_ =
      (std::filesystem::temp_directory_path() / ("heddle_test_key_" + std::to_string(getpid()))).string();
};

[[maybe_unused]] const auto* const own_key = ::testing::AddGlobalTestEnvironment(new OwnKey);

}  // namespace
}  // namespace heddle
