// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "build/compiler_answers.h"

#include "frontend/scratch_source.h"

namespace heddle::build {
namespace HEDDLE_TEST_FILE {

RealCompiler answer_of(const frontend::ScratchFolder& folder) {
  RealCompiler answer;
  answer.kind = RealCompiler::Kind::Clang;
  answer.triple = "my-own-target";
  answer.standard = "gnu17";
  answer.system_folders = {"", folder.path("include")};
  answer.own_folders = {folder.path("own")};
  answer.absent_folders = {folder.path("absent")};
  answer.defines = {"VENDOR=\"x y\""};
  answer.char_is_unsigned = answer.merges_tentative = true;
  return answer;
}

/// A compiler that is never run: its first bytes are those of a program.
class CompilerAnswersTest : public testing::Test {
 protected:
  CompilerAnswersTest() {
    folder.write("gcc",
                 "\x7f"
                 "ELF, not really");
    std::filesystem::permissions(folder.path("gcc"), std::filesystem::perms::owner_all);
    std::filesystem::create_directories(folder.path("include"));
    std::filesystem::create_directories(folder.path("own"));
    keep(question);
  }
  void keep(const std::vector<std::string>& asked) const {
    CompilerAnswers answers(file);
    answers.add(asked, folder.path(""), answer_of(folder));
    ASSERT_TRUE(answers.write());
  }
  [[nodiscard]] bool is_known(const std::vector<std::string>& asked) const {
    return CompilerAnswers(file).find(asked, folder.path("")) != nullptr;
  }

  const frontend::ScratchFolder folder;
  const std::string file = folder.path("compilers.json");
  const std::vector<std::string> question = {folder.path("gcc"), "-m32", "-E"};
};

TEST_F(CompilerAnswersTest, ComeBackAsTheyWere) {
  const CompilerAnswers again(file);
  const RealCompiler* known = again.find(question, "/");
  ASSERT_NE(known, nullptr);
  const RealCompiler expected = answer_of(folder);
  EXPECT_EQ(known->kind, expected.kind);
  EXPECT_EQ(known->triple, expected.triple);
  EXPECT_EQ(known->standard, expected.standard);
  EXPECT_EQ(known->system_folders, expected.system_folders);
  EXPECT_EQ(known->own_folders, expected.own_folders);
  EXPECT_EQ(known->absent_folders, expected.absent_folders);
  EXPECT_EQ(known->defines, expected.defines);
  EXPECT_TRUE(known->char_is_unsigned);
  EXPECT_TRUE(known->merges_tentative);
}

TEST_F(CompilerAnswersTest, HoldForTheirQuestionOnly) {
  EXPECT_TRUE(is_known(question));
  EXPECT_FALSE(is_known({folder.path("gcc"), "-E"}));
  ::setenv("CPATH", "/somewhere", 1);
  EXPECT_FALSE(is_known(question));
  ::unsetenv("CPATH");
}

TEST_F(CompilerAnswersTest, EndWithTheCompilerTheyCameFrom) {
  std::filesystem::last_write_time(folder.path("gcc"),
                                   std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
  EXPECT_FALSE(is_known(question));
  keep(question);
  EXPECT_TRUE(is_known(question));
  std::filesystem::remove(folder.path("gcc"));
  EXPECT_FALSE(is_known(question));
}

TEST_F(CompilerAnswersTest, EndWhenFoldersComeOrGo) {
  std::filesystem::create_directories(folder.path("absent"));
  EXPECT_FALSE(is_known(question));
  std::filesystem::remove(folder.path("absent"));
  EXPECT_TRUE(is_known(question));
  std::filesystem::remove(folder.path("include"));
  EXPECT_FALSE(is_known(question));
}

TEST_F(CompilerAnswersTest, OfScriptsLaunchersAndSpecsAreNotKept) {
  folder.write("cc", "#!/bin/sh\nexec gcc \"$@\"\n");
  folder.write("launcher",
               "\x7f"
               "ELF");
  std::filesystem::create_symlink(folder.path("launcher"), folder.path("clang"));
  for (const std::vector<std::string>& asked : {std::vector{folder.path("cc"), std::string("-E")},
                                                {folder.path("clang"), "-E"},
                                                {folder.path("gcc"), "-specs=mine", "-E"}}) {
    keep(asked);
    EXPECT_FALSE(is_known(asked)) << asked.front();
  }
}

TEST_F(CompilerAnswersTest, ThatNobodyGaveAreNotKept) {
  CompilerAnswers answers(file);
  answers.add({folder.path("gcc"), "-m64"}, "/", {});
  EXPECT_EQ(answers.find({folder.path("gcc"), "-m64"}, "/"), nullptr);
}

TEST_F(CompilerAnswersTest, InADamagedFileAreNone) {
  const std::string whole = [&] {
    std::ifstream input(file);
    return std::string{std::istreambuf_iterator<char>(input), {}};
  }();
  for (std::size_t length = 0; length + 1 < whole.size(); length += 7) {
    folder.write("compilers.json", whole.substr(0, length));
    EXPECT_FALSE(is_known(question)) << length;
  }
  folder.write("compilers.json", "{\"version\": \"0\"" + whole.substr(whole.find(',')));
  EXPECT_FALSE(is_known(question));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::build
