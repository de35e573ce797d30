// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/unit_store.h"

#include <zstd.h>

#include "frontend/scratch_source.h"
#include "program/unit/unit_file.h"
#include "project/capture.h"

namespace heddle::frontend {
namespace HEDDLE_TEST_FILE {

ClangCommand command(std::vector<std::string> arguments, std::string directory = "/project") {
  ClangCommand out;
  out.directory = std::move(directory);
  out.arguments = std::move(arguments);
  return out;
}

TEST(UnitStore, CommandsThatDoTheSameShareAKey) {
  ClangCommand dropped = command({"clang", "-c", "a.c"});
  dropped.dropped = {"-fipa-pta"};
  EXPECT_EQ(UnitStore::key_of(dropped), UnitStore::key_of(command({"clang", "-c", "a.c"})));
}

TEST(UnitStore, WhatChangesAUnitChangesItsKey) {
  const std::string key = UnitStore::key_of(command({"clang", "-c", "a.c"}));
  EXPECT_NE(UnitStore::key_of(command({"clang", "-c", "b.c"})), key);
  EXPECT_NE(UnitStore::key_of(command({"clang", "-DX", "-c", "a.c"})), key);
  EXPECT_NE(UnitStore::key_of(command({"-c", "clang", "a.c"})), key);
  EXPECT_NE(UnitStore::key_of(command({"clang", "-ca.c"})), key);
  EXPECT_NE(UnitStore::key_of(command({"clang", "-c", "a.c"}, "/other")), key);
}

TEST(UnitStore, AHeddleWithAnotherFormOfFilesLooksForOtherUnits) {
  const ClangCommand same = command({"clang", "-c", "a.c"});
  ContentHash other = unit_form();
  ++other.low;
  EXPECT_NE(UnitStore::key_of(same, other), UnitStore::key_of(same));
  EXPECT_EQ(UnitStore::key_of(same, unit_form()), UnitStore::key_of(same));
}

std::string unpacked(const std::string& path) {
  const std::string packed = kept::read_kept(path).value_or("");
  std::string out(ZSTD_getFrameContentSize(packed.data(), packed.size()), '\0');
  EXPECT_EQ(ZSTD_decompress(out.data(), out.size(), packed.data(), packed.size()), out.size());
  return out;
}

TEST(UnitStore, KeptBitcodeDefinesItsAliasesForOtherUnits) {
  const ScratchFolder folder;
  folder.write("a.c", "int real(void) { return 1; }\nint other(void) __attribute__((alias(\"real\")));\n");
  build::CompileDatabase database;
  database.commands = {{folder.path(""), "a.c", "", {"cc", "-c", "a.c"}}};
  project::CaptureOptions options;
  options.folder = folder.path(".heddle");
  const auto coverage = project::capture_project(database, options);
  ASSERT_TRUE(coverage) << coverage.error().message;
  ASSERT_EQ(coverage->parsed, 1u);
  const std::filesystem::directory_iterator kept(folder.path(".heddle/bitcode"));
  const std::string bitcode = folder.write("kept.bc", unpacked(kept->path().string()));
  const std::string user = folder.write("b.c", "int other(void);\nint main(void) { return other(); }\n");
  const auto program = read_sources({{bitcode, {}}, {user, {}}}, {});
  ASSERT_TRUE(program) << program.error().message;
  std::ostringstream text;
  print_program(text, *program);
  EXPECT_TRUE(text.str().contains("call i32 @real()")) << text.str();
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::frontend
