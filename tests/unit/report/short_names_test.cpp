// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/short_names.h"

#include <gtest/gtest.h>

#include "report/sample_report.h"
#include "report/screen/layout.h"

namespace heddle::report {
namespace HEDDLE_TEST_FILE {

TEST(ShortNames, FoldLongArgumentsOfTemplates) {
  EXPECT_EQ(short_name("Stack<int>::push"), "Stack<int>::push");
  EXPECT_EQ(short_name("std::map<std::string, std::vector<int>>::operator[]"), "std::map<…>::operator[]");
  EXPECT_EQ(short_name("std::__cxx11::basic_string<char, std::char_traits<char>>::size"), "std::basic_string<…>::size");
  EXPECT_EQ(short_name("main::$_12::operator()"), "main::lambda");
  EXPECT_EQ(short_name("A::operator<"), "A::operator<");
  EXPECT_EQ(short_name("A::operator<<"), "A::operator<<");
  EXPECT_EQ(short_name("A::operator->"), "A::operator->");
  EXPECT_EQ(short_name("f<&A::operator->>::g"), "f<…>::g");
  EXPECT_EQ(short_name("broken<"), "broken<");
  EXPECT_EQ(short_name("count"), "count");
}

TEST(ShortNames, KnowFilesOfLibraries) {
  for (const char* file : {"/usr/include/c++/12/vector", "/usr/lib/llvm-19/lib/clang/19/include/stdatomic.h",
                           "/opt/gcc/include/c++/13/map", "/usr/local/include/fmt/core.h"})
    EXPECT_TRUE(is_library_file(file)) << file;
  for (const char* file : {"a.c", "include/a.h", "/home/me/usr/include/a.h", "/opt/me/lib/a.c", ""})
    EXPECT_FALSE(is_library_file(file)) << file;
}

TEST(ShortNames, TheUsersFrameIsTheFirstOutsideOfLibraries) {
  ReportAccess access = sample_write();
  EXPECT_EQ(user_frame(access).line, 14U);
  access.file = "/usr/include/c++/12/vector";
  access.stack[0].file = access.file;
  EXPECT_EQ(user_frame(access).function, "worker");
  access.stack.clear();
  EXPECT_EQ(user_frame(access).file, access.file);
}

TEST(ShortNames, MembersOfPaths) {
  EXPECT_EQ(member_of("this->jobs"), "jobs");
  EXPECT_EQ(member_of("pool.a[i].jobs[3][k]"), "jobs");
  EXPECT_EQ(member_of("jobs"), "jobs");
  EXPECT_EQ(member_of("]"), "]");
}

TEST(Layout, CutsToCharactersNotBytes) {
  EXPECT_EQ(width_of("a…ü"), 3U);
  EXPECT_EQ(cut("abcdef", 4), "abc…");
  EXPECT_EQ(cut("üüüü", 3), "üü…");
  EXPECT_EQ(cut_front("abcdef", 4), "…def");
  EXPECT_EQ(cut_middle("abcdefghi", 6), "a…fghi");
  for (std::size_t width = 0; width < 9; ++width)
    for (const char* text : {"abcdefgh", "ü…üüüüü", ""}) {
      EXPECT_LE(width_of(cut(text, width)), width);
      EXPECT_LE(width_of(cut_front(text, width)), width);
      EXPECT_LE(width_of(cut_middle(text, width)), width) << width;
    }
}

TEST(Layout, WrapsAtWords) {
  EXPECT_EQ(wrapped("one two three", 7), (std::vector<std::string>{"one two", "  three"}));
  EXPECT_EQ(wrapped("", 7), (std::vector<std::string>{""}));
  for (const std::string& line : wrapped("a very_long_word_indeed b", 8)) EXPECT_LE(width_of(line), 8U);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::report
