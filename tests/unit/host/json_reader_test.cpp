// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/json_reader.h"

#include <gtest/gtest.h>

#include <sstream>

namespace heddle::host {
namespace HEDDLE_TEST_FILE {

std::string string_of(const std::string& text) {
  std::istringstream input(text);
  JsonReader reader(input);
  std::string out;
  return reader.read_string(out) && reader.read_end() ? out : "<" + reader.message() + ">";
}

std::string skip(const std::string& text) {
  std::istringstream input(text);
  JsonReader reader(input);
  return reader.skip_value() && reader.read_end() ? "" : reader.message();
}

TEST(JsonReader, StringsAreBytes) {
  EXPECT_EQ(string_of(R"( "a\"\\\/\b\f\n\r\tb" )"), "a\"\\/\b\f\n\r\tb");
  EXPECT_EQ(string_of(R"("\u0041\u00e9\u20ac\ud83d\ude00")"), "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  EXPECT_EQ(string_of("\"caf\xe9\""), "caf\xe9") << "no UTF-8, as some tools write it";
  EXPECT_EQ(string_of(R"("caf\udce9")"), "caf\xe9") << "no UTF-8, as Python writes it";
  EXPECT_EQ(string_of(R"("\ud83dx\udc00")"), "\xef\xbf\xbdx\xef\xbf\xbd") << "half a pair is no character";
  EXPECT_EQ(string_of(R"("\ud83d\n")"), "\xef\xbf\xbd\n");
}

TEST(JsonReader, WrittenStringsComeBack) {
  std::string every;
  for (int c = 1; c < 256; ++c) every += static_cast<char>(c);
  for (const std::string& text :
       {every, std::string("\xc3\xa9\xed\xa0\x80\xf5"), std::string("a\0b", 3), std::string()})
    EXPECT_EQ(string_of(json_string(text)), text);
  EXPECT_EQ(json_string("caf\xe9"), R"("caf\udce9")");
}

TEST(JsonReader, SaysWhereATextIsWrong) {
  EXPECT_EQ(skip("{\"a\": [1, 2,\n 3 4]}"), "2:4: expected ',' or ']', found '4'");
  EXPECT_EQ(skip("[1, "), "1:5: expected a value, found the end of the file");
  EXPECT_EQ(skip("{\"a\" 1}"), "1:6: expected ':', found '1'");
  EXPECT_EQ(skip("\"a\nb\""), "1:3: expected the closing quote of a string, found byte 0x0a");
  EXPECT_EQ(skip(R"("\x")"), "1:3: expected one of \" \\ / b f n r t u behind a backslash, found 'x'");
  EXPECT_EQ(skip("[] x"), "1:4: expected the end of the file, found 'x'");
  EXPECT_EQ(skip("[nul]"), "1:5: expected a value, found ']'");
  EXPECT_EQ(skip("[1,]"), "1:4: expected a value, found ']'");
  EXPECT_EQ(skip("[}"), "1:2: expected a value, found '}'");
}

TEST(JsonReader, SkipsAnythingWellFormed) {
  for (const char* text : {"{}", "[]", "[[],{}]", R"({"a":{"b":[1,-2.5e+3,true,null]},"c":"d"})", "3", " \"x\" "})
    EXPECT_EQ(skip(text), "") << text;
  EXPECT_EQ(skip(std::string(9000, '[') + std::string(9000, ']')), "");
  EXPECT_NE(skip(std::string(1'000'000, '[')).find("nested"), std::string::npos);
}

TEST(JsonReader, StringsLongerThanItsBufferAreWhole) {
  const std::string long_text(1'000'003, 'x');
  EXPECT_EQ(string_of("\"" + long_text + "\\n" + long_text + "\""), long_text + "\n" + long_text);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::host
