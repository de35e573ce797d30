// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "build/intercept.h"

#include "build/intercept/log_writer.h"
#include "frontend/scratch_source.h"

namespace heddle::build {
namespace HEDDLE_TEST_FILE {

std::string bytes_of(heddle_record header, const std::string& body) {
  header.checksum = heddle_checksum(body.data(), body.size());
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) + body;
}

heddle_record header_of(std::uint32_t folder, std::uint32_t arguments, std::uint32_t rest, std::uint32_t files) {
  return {HEDDLE_RECORD_MAGIC, folder + arguments + rest, 0, 1, folder, arguments, files};
}

std::string number(std::uint32_t value) { return {reinterpret_cast<const char*>(&value), sizeof value}; }

TEST(InterceptLog, ResponseFilesThatAreGoneWereKept) {
  const frontend::ScratchFolder folder;
  const std::string here = folder.path("");
  folder.write("a.c", "");
  const std::string arguments("gcc\0@f.rsp\0a.c\0", 15);
  const std::string file = number(5) + number(6) + "f.rsp" + "-c -DX";
  const std::string log = folder.write("log", bytes_of(header_of(static_cast<std::uint32_t>(here.size()), 15,
                                                                 static_cast<std::uint32_t>(file.size()), 1),
                                                       here + arguments + file));
  std::size_t calls = 0;
  const auto database = read_intercept_log(log, {}, calls);
  ASSERT_TRUE(database);
  EXPECT_EQ(calls, 1u);
  ASSERT_EQ(database->commands.size(), 1u);
  EXPECT_EQ(database->commands[0].arguments, (std::vector<std::string>{"gcc", "-c", "-DX", "a.c"}));
}

TEST(InterceptLog, WhatIsAroundDamageCountsAndIsNotAll) {
  const frontend::ScratchFolder folder;
  folder.write("a.c", "");
  const std::string here = folder.path("");
  const std::string good =
      bytes_of(header_of(static_cast<std::uint32_t>(here.size()), 11, 0, 0), here + std::string("gcc\0-c\0a.c\0", 11));
  for (const std::string& damage :
       {std::string("garbage that is long enough to be a header"), bytes_of(header_of(1, 1, 4'000'000'000U, 0), "x"),
        bytes_of(header_of(4'000'000'000U, 1, 0, 0), "xx"), bytes_of(header_of(1, 1, 0, 7), "xx")}) {
    std::size_t calls = 0;
    const auto database = read_intercept_log(folder.write("log", good + damage), {}, calls);
    ASSERT_TRUE(database);
    EXPECT_EQ(database->commands.size(), 1u);
    EXPECT_EQ(database->build_status, incomplete_log);
    const auto behind = read_intercept_log(folder.write("log", damage + good), {}, calls);
    ASSERT_TRUE(behind);
    EXPECT_EQ(behind->commands.size(), 1u) << "one that lies behind";
    EXPECT_EQ(behind->build_status, incomplete_log);
  }
}

/// Short of a few bytes, and followed by others: whatever fills the room must not be taken for the rest.
TEST(InterceptLog, ACutRecordIsNoRecord) {
  const frontend::ScratchFolder folder;
  folder.write("a.c", "");
  folder.write("b.c", "");
  const std::string here = folder.path("");
  const auto record = [&](char name) {
    return bytes_of(header_of(static_cast<std::uint32_t>(here.size()), 11, 0, 0),
                    here + "gcc" + '\0' + "-c" + '\0' + name + ".c" + '\0');
  };
  for (std::size_t cut = 1; cut < record('a').size(); ++cut) {
    std::size_t calls = 0;
    const std::string first = record('a').substr(0, record('a').size() - cut);
    const auto database = read_intercept_log(folder.write("log", first + record('b')), {}, calls);
    ASSERT_TRUE(database);
    EXPECT_EQ(database->build_status, incomplete_log) << cut;
    ASSERT_EQ(database->commands.size(), 1u) << cut;
    EXPECT_EQ(database->commands[0].file, "b.c");
  }
}

TEST(InterceptBuild, TellsOfRecordsThatAreLost) {
  const frontend::ScratchFolder folder;
  folder.write("a.c", "int x;\n");
  const std::string source = folder.path("a.c"), log = "$" HEDDLE_LOG_VARIABLE;
  const auto whole =
      intercept_build(std::vector<std::string>{"cc", "-c", source, "-o", "/dev/null"}, {folder.path(""), {}, ""});
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_EQ(whole->log_damage, "");
  const std::vector<std::string> gone = {"sh", "-c",
                                         "cc -c " + source + " -o /dev/null; mv " + log + " " + folder.path("aside") +
                                             "; cc -c " + source + " -o /dev/null; mv " + folder.path("aside") + " " +
                                             log};
  const auto lost = intercept_build(gone, {folder.path(""), {}, ""});
  ASSERT_TRUE(lost) << lost.error().message;
  EXPECT_NE(lost->log_damage.find("No such file"), std::string::npos) << lost->log_damage;
}

TEST(InterceptBuild, SaysWhatCannotBeStarted) {
  const frontend::ScratchFolder folder;
  const std::vector<std::string> missing = {"/no/such/build"};
  const auto result = intercept_build(missing, {folder.path(""), {}, ""});
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("/no/such/build"), std::string::npos);
  const std::vector<std::string> build = {"true"};
  EXPECT_FALSE(intercept_build(build, {folder.path("nowhere"), {}, ""}));
  EXPECT_FALSE(intercept_build({}, {folder.path(""), {}, ""}));
}

TEST(InterceptBuild, PassesTheStatusOnAndLeavesNoFile) {
  const frontend::ScratchFolder folder;
  const std::vector<std::string> build = {"sh", "-c", "exit 7"};
  const auto result = intercept_build(build, {folder.path(""), {}, ""});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->status, 7);
  EXPECT_TRUE(result->database.commands.empty());
  EXPECT_TRUE(std::filesystem::is_empty(folder.path("")));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::build
