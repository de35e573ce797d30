// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lies in the folder of an instrumented program, and when it is made again.
#include <gtest/gtest.h>

#include "base/read_file.h"
#include "frontend/scratch_source.h"
#include "instrument/write_archive.h"
#include "project/native/build_instrumented.h"
#include "project/native/object_store.h"
#include "project/native/runtime_archive.h"

namespace heddle::project {
namespace HEDDLE_TEST_FILE {

const api::ApiModels& models() {
  static const auto shipped = api::ApiModels::shipped();
  return *shipped;
}

/// An archive that stands for the runtime.
std::string runtime(const frontend::ScratchFolder& folder) {
  const auto code = instrument::compile_to_bitcode({folder.write("runtime.c", R"(
void __heddle1_read(void) {} void __heddle1_write(void) {} void __heddle1_call(void) {}
void __heddle1_call_write(void) {} _Thread_local unsigned long __heddle1_standing;
int __heddle1_main(int, char **, char **);
int start(int c, char **v, char **e) { return __heddle1_main(c, v, e) + 40; }
__asm__(".globl main\n.set main, start");  // not seen, so it keeps its name
)"),
                                                    {}},
                                                   {});
  EXPECT_TRUE(code.has_value());
  const auto unit = instrument::instrument(*code, nullptr, models(), {});
  EXPECT_TRUE(unit.has_value());
  folder.write("runtime.o", unit->object);
  return folder.path("runtime.o");
}

TEST(NativeProgram, ArchivesListTheirSymbols) {
  const frontend::ScratchFolder folder;
  const auto code =
      instrument::compile_to_bitcode({folder.write("a.c", "int one(void) { return 1; } int two;"), {}}, {});
  ASSERT_TRUE(code.has_value());
  const auto unit = instrument::instrument(*code, nullptr, models(), {});
  ASSERT_TRUE(unit.has_value());
  const std::string object = folder.write("a.o", unit->object);
  ASSERT_TRUE(instrument::write_archive(folder.path("a.a"), {object}).has_value());
  const auto symbols = symbols_of_archive(folder.path("a.a"));
  ASSERT_TRUE(symbols.has_value());
  EXPECT_EQ(*symbols, (std::vector<std::string>{"one", "two"}));
  EXPECT_FALSE(symbols_of_archive(object).has_value());
  EXPECT_FALSE(symbols_of_archive(
                   folder.write("bad.a", "!<arch>\n/               0           0     0     0       99999999  `\n"))
                   .has_value());
  EXPECT_FALSE(symbols_of_archive(folder.path("none.a")).has_value());
}

TEST(NativeProgram, ObjectsAreKnownAgainByTheirContent) {
  const frontend::ScratchFolder folder;
  const instrument::HookOptions options;
  const ObjectStore store(folder.path("out"), models(), options);
  ASSERT_TRUE(store.prepare().has_value());
  const auto code = instrument::compile_to_bitcode({folder.write("a.c", "int g; void f(void) { g++; h(); }"), {}}, {});
  ASSERT_TRUE(code.has_value());
  const std::string key = store.key_of(*code, nullptr);
  EXPECT_FALSE(store.find(key).has_value());
  const auto unit = instrument::instrument(*code, nullptr, models(), options);
  ASSERT_TRUE(unit.has_value());
  ASSERT_TRUE(store.put(key, *unit).has_value());
  const auto again = store.find(key);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->accesses.rows(), unit->accesses.rows());
  EXPECT_EQ(again->counts.accesses, 2U);
  EXPECT_EQ(again->counts.unknown, unit->counts.unknown);
  // Another setting, another object.
  const instrument::HookOptions all{.hook_all = true};
  EXPECT_NE(ObjectStore(folder.path("out"), models(), all).key_of(*code, nullptr), key);
  const instrument::HookOptions defined{.defined = {"h"}}, unrelated{.defined = {"k"}};
  EXPECT_NE(ObjectStore(folder.path("out"), models(), defined).key_of(*code, nullptr), key);
  EXPECT_EQ(ObjectStore(folder.path("out"), models(), unrelated).key_of(*code, nullptr), key);
}

TEST(NativeProgram, AnObjectThatSomebodyChangedIsNotTaken) {
  const frontend::ScratchFolder folder;
  const instrument::HookOptions options;
  const ObjectStore store(folder.path("out"), models(), options);
  ASSERT_TRUE(store.prepare().has_value());
  ASSERT_TRUE(store.put("k", {.object = "as it was", .accesses = {}, .counts = {}}).has_value());
  ASSERT_TRUE(store.find("k").has_value());
  std::ofstream(store.object_path("k")) << "as it wax";
  EXPECT_FALSE(store.find("k").has_value());
}

TEST(NativeProgram, IsBuiltOnceFromTheSameSources) {
  const frontend::ScratchFolder folder;
  ASSERT_TRUE(instrument::write_archive(folder.path("runtime.a"), {runtime(folder)}).has_value());
  const std::vector<frontend::Source> sources = {
      {folder.write("a.c", "extern int g; int f(void); int main(void) { g = 1; return f(); }"), {}},
      {folder.write("b.c", "int g; int f(void) { return g; }"), {}}};
  const NativeOptions how{.folder = folder.path("out"), .runtime = folder.path("runtime.a")};
  const auto first = build_instrumented(sources, {}, models(), how);
  ASSERT_TRUE(first.has_value()) << first.error().message;
  EXPECT_EQ(first->reused, 0U);
  EXPECT_EQ(first->units, 2U);
  EXPECT_TRUE(first->counts.unknown.empty()) << "f has a body in the other unit";
  EXPECT_EQ(WEXITSTATUS(std::system(first->program.c_str())), 41);
  const auto table = AccessTable::from_text(read_file(first->table).value_or(""), "table");
  ASSERT_TRUE(table.has_value());
  EXPECT_EQ(table->rows().size(), 2U);
  const auto second = build_instrumented(sources, {}, models(), how);
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ(second->reused, 2U);
  folder.write("b.c", "int g; int f(void) { return g + 1; }");
  const auto third = build_instrumented(sources, {}, models(), how);
  ASSERT_TRUE(third.has_value());
  EXPECT_EQ(third->reused, 1U);
  EXPECT_EQ(WEXITSTATUS(std::system(third->program.c_str())), 42);
}

TEST(NativeProgram, WhatDoesNotLinkSaysWhy) {
  const frontend::ScratchFolder folder;
  ASSERT_TRUE(instrument::write_archive(folder.path("runtime.a"), {runtime(folder)}).has_value());
  const auto built =
      build_instrumented({{folder.write("a.c", "int nowhere(void); int main(void) { return nowhere(); }"), {}}}, {},
                         models(), {.folder = folder.path("out"), .runtime = folder.path("runtime.a")});
  ASSERT_FALSE(built.has_value());
  EXPECT_NE(built.error().message.find("nowhere"), std::string::npos);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::project
