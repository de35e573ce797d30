// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/byte_stream.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/build_identity.h"

namespace heddle {
namespace HEDDLE_TEST_FILE {

TEST(ByteStream, ReadsWhatWasWritten) {
  ByteWriter out;
  const std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();
  out.number(0).number(127).number(128).number(largest).signed_number(-1).signed_number(least).word(7).text("abc").text(
      "");
  out.hash({1, 2});
  ByteReader in(out.bytes());
  EXPECT_EQ(in.number(), 0U);
  EXPECT_EQ(in.number(), 127U);
  EXPECT_EQ(in.number(), 128U);
  EXPECT_EQ(in.number(), largest);
  EXPECT_EQ(in.signed_number(), -1);
  EXPECT_EQ(in.signed_number(), least);
  EXPECT_EQ(in.word(), 7U);
  EXPECT_EQ(in.text(), "abc");
  EXPECT_EQ(in.text(), "");
  EXPECT_EQ(in.hash(), (ContentHash{1, 2}));
  EXPECT_TRUE(in.at_end());
  EXPECT_FALSE(in.failed());
}

TEST(ByteStream, ReaderFailsInsteadOfReadingOn) {
  EXPECT_EQ(ByteReader("").number(), 0U);
  for (const std::string& bytes : {std::string("\x80"),
                                   std::string("\x05"
                                               "ab"),
                                   std::string(11, '\xff')}) {
    ByteReader in(bytes);
    in.text();
    EXPECT_TRUE(in.failed()) << bytes;
    EXPECT_EQ(in.number(), 0U);
  }
  ByteReader in("\x09");
  EXPECT_EQ(in.below(9), 0U);
  EXPECT_TRUE(in.failed());
}

TEST(BuildIdentity, IsThereAndStays) {
  EXPECT_GE(build_identity().size(), 16U);
  EXPECT_EQ(build_identity(), build_identity());
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle
