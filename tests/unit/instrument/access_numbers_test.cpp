// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers in the hooks are those of the analysis: every access of the linked Program has a hook with its AccessId.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "frontend/frontend.h"
#include "frontend/scratch_source.h"
#include "instrument/instrument.h"
#include "program/names/access_site.h"
#include "race/access_id.h"

namespace heddle::instrument {
namespace HEDDLE_TEST_FILE {

namespace fs = std::filesystem;

const api::ApiModels& models() {
  static const auto shipped = api::ApiModels::shipped();
  return *shipped;
}

/// `// FLAGS: …` of a program of tests/programs.
std::vector<std::string> flags_of(const std::string& path) {
  std::ifstream in(path);
  std::vector<std::string> out;
  std::string line;
  for (int i = 0; i < 8 && std::getline(in, line); ++i)
    if (line.starts_with("// FLAGS:")) {
      std::istringstream words(line.substr(9));
      for (std::string word; words >> word;) out.push_back(word);
    }
  return out;
}

/// Each access of the Program by its id, and each call of a function without a body by what it may be called.
void compare(const std::string& path) {
  const frontend::Source source{path, flags_of(path)};
  const auto program = frontend::read_sources({source}, {});
  if (!program) return;  // one that is not for this machine
  const auto code = compile_to_bitcode(source, {});
  ASSERT_TRUE(code.has_value()) << path;
  const auto unit = instrument(*code, nullptr, models(), {.hook_all = true});
  ASSERT_TRUE(unit.has_value()) << path << ": " << unit.error().message;
  std::set<std::uint64_t> of_program;
  for (std::size_t f = 0; f < program->functions.size(); ++f)
    for (const AccessSite& site : access_sites(*program, program->functions[FunctionId(f)])) {
      const race::Access access{
          .function = FunctionId(f), .instruction = static_cast<std::uint32_t>(site.instruction), .kind = site.kind};
      const std::uint64_t id = race::access_id(*program, access).value;
      of_program.insert(id);
      const AccessRow* row = unit->accesses.find(id);
      ASSERT_NE(row, nullptr) << path << ": "
                              << program->where(
                                     program->functions[FunctionId(f)].instructions[site.instruction].location);
      EXPECT_EQ(row->kind, to_text(site.kind));
      EXPECT_EQ(row->function, program->functions[FunctionId(f)].shown_name());
    }
  for (const AccessRow& row : unit->accesses.rows())
    if (!row.kind.starts_with("call-")) EXPECT_TRUE(of_program.contains(row.number)) << path << ": " << row.line;
}

std::vector<std::string> programs(const std::string& extension) {
  std::vector<std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(HEDDLE_TEST_DATA "/programs"))
    if (entry.path().extension() == extension) out.push_back(entry.path().string());
  std::ranges::sort(out);
  return out;
}

TEST(AccessNumbers, AreThoseOfTheAnalysisInC) {
  const std::vector<std::string> all = programs(".c");
  ASSERT_GT(all.size(), 100U);
  for (std::size_t i = 0; i < all.size(); i += 3) compare(all[i]);
}

TEST(AccessNumbers, AreThoseOfTheAnalysisInCxx) {
  const std::vector<std::string> all = programs(".cpp");
  ASSERT_GT(all.size(), 10U);
  for (std::size_t i = 0; i < all.size(); i += 12) compare(all[i]);
}

/// What the model says of a call has the name that a judge would ask for.
TEST(AccessNumbers, OfCallsAreThoseOfTheAnalysis) {
  const frontend::ScratchFolder folder;
  const frontend::Source source{folder.write("unit.c", R"(
#include <stdlib.h>
#include <string.h>
char *a, *b;
int f(int n) { memcpy(a, b, 0), memcpy(a + 1, b + 1, n); free(a); return (int)strlen(b); }
)"),
                                {"-fno-builtin"}};
  const auto program = frontend::read_sources({source}, {});
  ASSERT_TRUE(program.has_value());
  const auto code = compile_to_bitcode(source, {});
  ASSERT_TRUE(code.has_value());
  const auto unit = instrument(*code, nullptr, models(), {});
  ASSERT_TRUE(unit.has_value());
  const FunctionId f = program->find_function("f");
  std::map<std::string, std::vector<AccessKind>> wanted = {
      {"memcpy", {AccessKind::Read, AccessKind::Write}}, {"free", {AccessKind::Free}}, {"strlen", {AccessKind::Read}}};
  std::size_t seen = 0;
  const Function& body = program->functions[f];
  for (std::uint32_t i = 0; i < body.instructions.size(); ++i) {
    if (!body.instructions[i].is_call()) continue;
    const std::string callee(program->functions[body.operands_of(body.instructions[i])[0].as_function()].name);
    for (const AccessKind kind : wanted.at(callee)) {
      const AccessRow* row = unit->accesses.find(race::access_id(*program, {f, i, kind}).value);
      ASSERT_NE(row, nullptr) << callee;
      EXPECT_EQ(row->kind, "call-" + std::string(to_text(kind)));
      ++seen;
    }
  }
  EXPECT_EQ(seen, 6U);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::instrument
