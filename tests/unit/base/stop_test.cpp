// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/stop.h"

#include <gtest/gtest.h>

#include "base/machine/failure_words.h"

namespace heddle {
namespace HEDDLE_TEST_FILE {

TEST(Stop, IsAskedByTheUserOrTheClock) {
  EXPECT_FALSE(Stop().is_asked());
  EXPECT_FALSE(Stop(0).is_asked()) << "no limit";
  EXPECT_FALSE(Stop(3600).is_asked());
  std::atomic<bool> interrupted = false;
  const Stop stop(3600, &interrupted);
  EXPECT_FALSE(stop.is_asked());
  interrupted = true;
  EXPECT_TRUE(stop.is_asked());
  EXPECT_TRUE(stop.half().is_asked());
  EXPECT_EQ(stop.why(), "it was interrupted");
}

TEST(Stop, SaysWhichPartOfTheTime) {
  EXPECT_EQ(Stop(60).why(), "the time limit (60 seconds, --timeout) was used up");
  EXPECT_EQ(Stop(60).half().why(), "its half of the time limit (60 seconds, --timeout) was used up");
}

TEST(Stop, IsAskedByMemory) {
  const MemoryLimit none, little(std::uint64_t{1} << 20), much(std::uint64_t{1} << 50);
  EXPECT_FALSE(Stop(0, nullptr, nullptr, &none).is_asked());
  EXPECT_FALSE(Stop(0, nullptr, nullptr, &much).is_asked());
  const Stop stop(3600, nullptr, nullptr, &little);
  EXPECT_TRUE(stop.is_asked());
  EXPECT_TRUE(stop.half().is_asked());
  EXPECT_EQ(stop.why(), "the memory limit (1M, --memory-limit) was used up");
  EXPECT_EQ(stop.why_no_memory(), stop.why());
  stop.begin_stage();
  EXPECT_TRUE(stop.is_asked()) << "there is still too much of it";
}

TEST(Stop, LeavesALittleTimeForLastWords) {
  const std::atomic<bool> interrupted = true;
  const Stop stop(3600, &interrupted);
  EXPECT_TRUE(stop.is_asked());
  EXPECT_FALSE(stop.for_last_words().is_asked());
}

TEST(FailureWords, SayWhatToDo) {
  EXPECT_EQ(failure_words(ENOSPC), "No space left on device (make room there)");
  EXPECT_TRUE(failure_words(EMFILE).contains("ulimit -n"));
  EXPECT_EQ(failure_words(ENOENT), "No such file or directory");
  EXPECT_TRUE(is_of_the_machine(EIO));
  EXPECT_FALSE(is_of_the_machine(ENOENT));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle
