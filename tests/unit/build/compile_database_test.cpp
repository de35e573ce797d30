// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "build/compile_database.h"

#include "frontend/scratch_source.h"

namespace heddle::build {
namespace HEDDLE_TEST_FILE {

Result<CompileDatabase> read(const std::string& text) {
  std::istringstream input(text);
  return read_compile_commands(input, "db.json", "/p/build", {});
}

std::string shown(const Result<CompileDatabase>& database) {
  if (!database) return "error: " + database.error().message;
  std::string out;
  for (const CompileCommand& command : database->commands) {
    out += command.directory + "|" + command.file + "|" + command.output + "|";
    for (const std::string& argument : command.arguments) out += " " + argument;
    out += "\n";
  }
  return out;
}

std::string notes(const Result<CompileDatabase>& database) {
  std::string out;
  for (const std::string& note : database->notes) out += note + "\n";
  return out;
}

TEST(CompileCommands, BothFormsAreRead) {
  EXPECT_EQ(shown(read(R"([
    {"directory": "/x", "command": "gcc -DA='\"b c\"' -c a.c -o a.o", "file": "a.c"},
    {"directory": "/x", "arguments": ["g++", "-DA=b c", "-c", "b.cpp"], "file": "b.cpp", "output": "b.o", "else": [{}]}
  ])")),
            "/x|a.c|a.o| gcc -DA=\"b c\" -c a.c -o a.o\n"
            "/x|b.cpp|b.o| g++ -DA=b c -c b.cpp\n");
}

TEST(CompileCommands, RelativeFoldersMeanTheFolderOfTheFile) {
  EXPECT_EQ(shown(read(R"([{"directory": "sub/../lib", "command": "cc -c ../a.c", "file": "../a.c"},
                           {"command": "cc -c b.c", "file": "b.c"}])")),
            "/p/build/lib|../a.c|| cc -c ../a.c\n/p/build|b.c|| cc -c b.c\n");
}

TEST(CompileCommands, EqualEntriesAreOneAndOtherFlagsAnotherUnit) {
  const auto database = read(R"([
    {"directory": "/x", "command": "gcc -c a.c", "file": "a.c"},
    {"directory": "/x", "arguments": ["gcc", "-c", "a.c"], "file": "a.c"},
    {"directory": "/x", "command": "gcc -DB -c a.c", "file": "a.c"}])");
  EXPECT_EQ(shown(database), "/x|a.c|| gcc -c a.c\n/x|a.c|| gcc -DB -c a.c\n");
  EXPECT_EQ(notes(database),
            "1 source is compiled more than once with different flags; each time is a unit of its own\n"
            "left out: 1 × repeated commands\n");
}

TEST(CompileCommands, WhatIsNoUnitIsCounted) {
  const auto database = read(R"([
    {"directory": "/x", "command": "gcc -c a.c", "file": "a.c"},
    {"directory": "/x", "command": "gcc -c b.S", "file": "b.S"},
    {"directory": "/x", "command": "gcc -c s.f90", "file": "s.f90"},
    {"directory": "/x", "command": "nvcc -c k.cu", "file": "k.cu"},
    {"directory": "/x", "command": "gcc a.o -o p", "file": "a.o"},
    {"directory": "/x", "file": "q.c"}, 7,
    {"directory": "/x", "command": "gcc 'x", "file": "x.c"}])");
  EXPECT_EQ(shown(database), "/x|a.c|| gcc -c a.c\n");
  EXPECT_EQ(notes(database),
            "left out: 1 × assembly files\n"
            "left out: 1 × calls that only link\n"
            "left out: 1 × commands without a known compiler (name it with --compiler)\n"
            "left out: 3 × entries that say nothing usable\n"
            "left out: 1 × files in other languages\n"
            "line 7: an entry has neither 'command' nor 'arguments'\n"
            "line 7: an entry is no object\n"
            "line 8: an entry has a command that cannot be read: the quote ' at position 5 is never closed\n");
}

TEST(CompileCommands, OneEntryOfSeveralSourcesMeansItsOwn) {
  EXPECT_EQ(shown(read(R"([{"directory": "/x", "command": "cc a.c sub/../b.c -o p", "file": "/x/b.c"}])")),
            "/x|sub/../b.c|| cc sub/../b.c -o p\n");
}

TEST(CompileCommands, NothingCapturedIsAnError) {
  EXPECT_EQ(shown(read("[]")),
            "error: db.json: holds no C or C++ compilation, so there is nothing to capture (0 entries)");
  EXPECT_NE(shown(read(R"([{"directory": "/", "command": "as x.s"}])")).find("error: db.json: holds no C"),
            std::string::npos);
  EXPECT_NE(shown(read("")).find("error: db.json: is empty"), std::string::npos);
}

TEST(CompileCommands, MalformedTextIsRefusedWithItsPlace) {
  EXPECT_EQ(shown(read("{\"a\": 1}")), "error: db.json:1:1: expected '[', found '{'");
  EXPECT_EQ(shown(read("[\n {\"directory\": \"/x\",\n  \"file\" \"a.c\"}]")),
            "error: db.json:3:10: expected ':', found '\"'");
  EXPECT_EQ(shown(read("[{\"file\": \"a.c\"")), "error: db.json:1:16: expected ',' or '}', found the end of the file");
  EXPECT_EQ(shown(read("\x7f\x45LF")), "error: db.json:1:1: expected '[', found byte 0x7f");
}

TEST(CompileCommands, ResponseFilesAreRelativeToTheDirectory) {
  const frontend::ScratchFolder folder;
  folder.write("flags.rsp", "-DX='a b' -c");
  folder.write("compile_commands.json", R"([{"directory": ".", "command": "gcc @flags.rsp a.c", "file": "a.c"}])");
  const auto database = read_compile_commands(folder.path(""));
  ASSERT_TRUE(database) << database.error().message;
  EXPECT_EQ(database->commands.at(0).arguments, (std::vector<std::string>{"gcc", "-DX=a b", "-c", "a.c"}));
}

TEST(CompileCommands, AreFoundInAFolderItsBuildFolderAndAbove) {
  const frontend::ScratchFolder folder;
  std::filesystem::create_directories(folder.path("build/deep/er"));
  const std::string file = folder.write("build/compile_commands.json", "[]");
  EXPECT_EQ(find_compile_commands(folder.path("")).value_or(""), file);
  EXPECT_EQ(find_compile_commands(file).value_or(""), file);
  EXPECT_EQ(find_compile_commands_upward(folder.path("build/deep/er")).value_or(""), file);
  EXPECT_FALSE(find_compile_commands(folder.path("build/deep")));
  EXPECT_FALSE(find_compile_commands(folder.path("nowhere")));
}

TEST(CompileCommands, WrittenOnesReadBackTheSame) {
  const frontend::ScratchFolder folder;
  CompileDatabase database;
  database.commands = {{"/x y", "caf\xe9.c", "o.o", {"gcc", "-DA=\"\\\n", "-c", "caf\xe9.c", "-o", "o.o"}},
                       {"/x", "b.c", "", {"cc", "-c", "b.c"}}};
  ASSERT_TRUE(write_compile_commands(folder.path("db.json"), database));
  EXPECT_EQ(shown(read_compile_commands(folder.path("db.json"))), shown(database));
  EXPECT_FALSE(write_compile_commands(folder.path("no/db.json"), database));
  EXPECT_FALSE(write_compile_commands("/dev/full/x", database));
}

TEST(Probes, AreFilesThatOnlyTestTheCompiler) {
  for (const char* path :
       {"/p/conftest.c", "/p/build/CMakeFiles/CMakeScratch/TryCompile-x/t.c", "/b/meson-private/tmp1/testfile.c",
        "/b/CMakeFiles/3.25/CompilerIdC/CMakeCCompilerId.c", "/dev/null", "/p/-"})
    EXPECT_TRUE(is_probe(path)) << path;
  for (const char* path : {"/p/config.c", "/p/src/conftester.c", "/p/tmp/a.c"}) EXPECT_FALSE(is_probe(path)) << path;
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::build
