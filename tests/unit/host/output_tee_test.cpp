// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/output_tee.h"

#include <gtest/gtest.h>

namespace heddle::host {
namespace HEDDLE_TEST_FILE {

std::string error_of(const std::vector<std::string>& output) {
  ErrorLine lines;
  for (const std::string& part : output) lines.take(part);
  return lines.text();
}

TEST(ErrorLine, IsTheLastOneOfATool) {
  EXPECT_EQ(error_of({"a.c:1:1: error: one\n", "b.c:2:2: error: two\nmake: *** [b.o] Error 1\n"}),
            "b.c:2:2: error: two");
  EXPECT_EQ(
      error_of({"x.o: in function main:\nx.c:(.text+0x8): undefined reference to `f'\ncollect2: ld returned 1\n"}),
      "x.c:(.text+0x8): undefined reference to `f'");
}

TEST(ErrorLine, OfWhoeverRanTheToolsElse) {
  EXPECT_EQ(error_of({"make: *** No rule to make target 'all'.  Stop.\n"}),
            "make: *** No rule to make target 'all'.  Stop.");
  EXPECT_EQ(error_of({"sh: 1: gcc-99: not found\n"}), "sh: 1: gcc-99: not found");
  EXPECT_EQ(error_of({"compiling\nlinking\n"}), "");
}

TEST(ErrorLine, MayComeInPartsAndInColours) {
  EXPECT_EQ(error_of({"\x1b[1ma.c:3:1: \x1b[31mfatal er", "ror: \x1b[0mno\r", "\nmore\n"}), "a.c:3:1: fatal error: no");
}

TEST(ErrorLine, IsNotAsLongAsTheOutput) {
  const std::string much(1 << 20, 'x');
  EXPECT_LE(error_of({"a.c:1:1: error: ", much, "\n"}).size(), 4096U);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::host
