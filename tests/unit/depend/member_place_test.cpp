// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/system/member_place.h"

#include <gtest/gtest.h>

#include "depend/system_of.h"

namespace heddle::depend {
namespace HEDDLE_TEST_FILE {

/// `offset+size`, or nothing.
std::string place(const std::string& path) {
  const TestSystem made(
      "struct Wheel { char on; short speed[3]; };\n"
      "struct { int first; struct Wheel wheel[2]; union { int raw; struct { char low, high; }; }; } state;\n"
      "void f(void) { state.first = 1; }\n",
      "");
  for (const Global& global : made.program.globals)
    if (global.name == "state")
      if (const auto found = member_place(made.program, global.source_type, path))
        return std::to_string(found->offset) + "+" + std::to_string(found->size);
  return "";
}

TEST(MemberPlace, FollowsMembersAndElements) {
  EXPECT_EQ(place(""), "0+24");
  EXPECT_EQ(place(".first"), "0+4");
  EXPECT_EQ(place(".wheel"), "4+16");
  EXPECT_EQ(place(".wheel[1]"), "12+8");
  EXPECT_EQ(place(".wheel[1].speed[2]"), "18+2");
}

TEST(MemberPlace, LooksIntoAnonymousParts) {
  EXPECT_EQ(place(".raw"), "20+4");
  EXPECT_EQ(place(".high"), "21+1");
}

TEST(MemberPlace, WhatIsNotThere) {
  for (const char* path : {".last", ".wheel[2]", ".wheel[x]", ".wheel[1", ".wheel[]", ".first[0]", ".first.x",
                           "->first", ".", "[", ".wheel[-1]"})
    EXPECT_EQ(place(path), "") << path;
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::depend
