// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/stop.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

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

}  // namespace
}  // namespace heddle
