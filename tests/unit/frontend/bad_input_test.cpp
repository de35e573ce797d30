// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/scratch_source.h"

namespace heddle::frontend {
namespace HEDDLE_TEST_FILE {

TEST(FrontendBadInput, SaysWhatIsWrongAndWhere) {
  EXPECT_NE(error_of("int main(void) {\n  return x;\n}\n").find("unit.c:2:10: error: use of undeclared identifier 'x'"),
            std::string::npos);
  EXPECT_NE(error_of("#include <not_there.h>\n").find("unit.c:1:10: fatal error: 'not_there.h' file not found"),
            std::string::npos);
  EXPECT_NE(error_of("hello", "notes.txt").find("not a C or C++ source file"), std::string::npos);
}

TEST(FrontendBadInput, MissingFilesAndFoldersAreNamed) {
  const ScratchFolder folder;
  const auto missing = read_sources({{folder.path("none.c"), {}}}, {});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, folder.path("none.c") + ": error: no such file");
  std::filesystem::create_directory(folder.path("dir.c"));
  const auto directory = read_sources({{folder.path("dir.c"), {}}}, {});
  ASSERT_FALSE(directory);
  EXPECT_NE(directory.error().message.find("is a folder"), std::string::npos);
  EXPECT_FALSE(read_sources({}, {}));
}

TEST(FrontendBadInput, EveryBadFileIsReported) {
  const ScratchFolder folder;
  const auto p = read_sources({{folder.write("a.c", "int 1;"), {}}, {folder.write("b.c", "int 2;"), {}}}, {});
  ASSERT_FALSE(p);
  EXPECT_NE(p.error().message.find("a.c:1:5: error"), std::string::npos);
  EXPECT_NE(p.error().message.find("b.c:1:5: error"), std::string::npos);
}

TEST(FrontendBadInput, GarbageGivesPrintableText) {
  std::string garbage;
  for (unsigned i = 0; i < 5000; ++i) garbage += static_cast<char>((i * 7919U + i / 13U) % 256U);
  const std::string message = error_of(garbage);
  ASSERT_FALSE(message.empty());
  for (const char c : message) EXPECT_TRUE(c == '\n' || c == '\t' || (c >= ' ' && c <= '~'));
}

TEST(FrontendBadInput, AnEmptyFileIsAnEmptyProgram) {
  const Program p = read_text("");
  EXPECT_TRUE(p.functions.empty());
  EXPECT_EQ(p.units.size(), 1u);
}

TEST(FrontendBadInput, NestingBeyondAllStacksIsAnError) {
  std::string text = "int f(int x) { return ";
  for (int i = 0; i < 1'000'000; ++i) text += "-~";
  EXPECT_NE(error_of(text + "x; }").find("nests too deeply"), std::string::npos);
  EXPECT_FALSE(read_text("int after;").globals.empty()) << "and the next file can still be read";
}

TEST(FrontendFlags, OfTheUserArePassedOnAndCannotUndoOurs) {
  const ScratchFolder folder;
  const std::string path = folder.write("a.c", "int g; int f(void) { int unused = g; return N; }");
  const auto p = read_sources({{path, {"-DN=3", "-O2", "-Wall", "-Werror", "-fsanitize=undefined", "-MD"}}}, {});
  ASSERT_TRUE(p) << p.error().message;
  EXPECT_EQ(body_of(*p, "f"), "b0:\n  %0 = load i32, @g\n  return 3\n");
  EXPECT_FALSE(std::filesystem::exists("a.d"));
  EXPECT_FALSE(read_sources({{path, {"-fno-such-flag"}}}, {}));
}

TEST(FrontendFlags, TheDataModelDecidesTheWidthOfLong) {
  const ScratchFolder folder;
  const std::string path = folder.write("a.i", "long l; char *p;");
  for (const auto& [model, bytes] : {std::pair{DataModel::Ilp32, 4U}, std::pair{DataModel::Lp64, 8U}}) {
    const auto p = read_sources({{path, {}}}, {model});
    ASSERT_TRUE(p) << p.error().message;
    EXPECT_EQ(p->globals[p->find_global("l")].size, bytes);
    EXPECT_EQ(p->layout.pointer_bits, bytes * 8);
  }
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::frontend
