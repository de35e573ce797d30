// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/shell_words.h"

#include "frontend/scratch_source.h"

namespace heddle::host {
namespace HEDDLE_TEST_FILE {

using Words = std::vector<std::string>;

Words split(std::string_view text) { return split_shell_words(text).value_or(Words{"<refused>"}); }

TEST(ShellWords, FollowTheQuotingOfPosix) {
  EXPECT_EQ(split("  gcc\t-c  a.c\n"), (Words{"gcc", "-c", "a.c"}));
  EXPECT_EQ(split(R"(-DN='"a b"' -I"my dir"/x a\ b.c)"), (Words{R"(-DN="a b")", "-Imy dir/x", "a b.c"}));
  EXPECT_EQ(split(R"("a\"b\\c\d\$e" 'a\b')"), (Words{R"(a"b\c\d$e)", R"(a\b)"}));
  EXPECT_EQ(split(R"('' "" x'')"), (Words{"", "", "x"}));
  EXPECT_EQ(split("a\\\nb c"), (Words{"ab", "c"}));
  EXPECT_EQ(split(""), Words{});
  EXPECT_EQ(split("-DKBUILD_STR\\(s\\)=\\#s"), (Words{"-DKBUILD_STR(s)=#s"}));
}

TEST(ShellWords, AnOpenQuoteIsAnErrorWithItsPlace) {
  const auto open = split_shell_words("gcc 'a.c");
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().message, "the quote ' at position 5 is never closed");
  EXPECT_FALSE(split_shell_words("\"a\\\""));
}

TEST(ShellWords, QuotedWordsComeBackAsTheyWere) {
  for (const std::string word : {"plain", "a b", "", "it's", "\"", "$x", "\\", "a\nb", "\xff", "*"})
    EXPECT_EQ(split(quote_shell_word(word)), Words{word}) << word;
  EXPECT_EQ(quote_shell_word("-O2"), "-O2");
}

TEST(ResponseText, BackslashesWorkInsideQuotesToo) {
  EXPECT_EQ(split_response_text("-DA='x\\'y' \"a\\\\b\"\n-c"), (Words{"-DA=x'y", "a\\b", "-c"}));
  EXPECT_EQ(split_response_text("'' 'open end"), (Words{"", "open end"}));
}

TEST(ResponseFiles, AreExpandedAlsoNested) {
  const frontend::ScratchFolder folder;
  folder.write("outer.rsp", "-DX=1 @inner.rsp -DZ");
  folder.write("inner.rsp", "'-DY=a b'\n");
  const auto words = expand_response_files({"gcc", "@outer.rsp", "@nowhere", "@"}, response_files_of(folder.path("")));
  ASSERT_TRUE(words);
  EXPECT_EQ(*words, (Words{"gcc", "-DX=1", "-DY=a b", "-DZ", "@nowhere", "@"}));
}

TEST(ResponseFiles, ThatContainThemselvesAreRefused) {
  const frontend::ScratchFolder folder;
  folder.write("self.rsp", "@self.rsp @self.rsp");
  EXPECT_FALSE(expand_response_files({"gcc", "@self.rsp"}, response_files_of(folder.path(""))));
  // Many, not deep: 2^30 empty files.
  const ResponseReader doubling = [](const std::string& name) -> std::optional<std::string> {
    return name.size() > 30 ? "" : "@" + name + "x @" + name + "x";
  };
  EXPECT_FALSE(expand_response_files({"@x"}, doubling));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::host
