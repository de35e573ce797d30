// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of which one element stands for all: where pointers lead in them, and which values are followed.
#include "judge/thread_model/rows.h"

#include <gtest/gtest.h>

#include <string>

#include "frontend/scratch_source.h"

namespace heddle::judge::transaction {
namespace HEDDLE_TEST_FILE {

const std::string begin =
    "struct slot { int state, x; }; struct slot s[20]; struct { int k; struct slot in[20]; int z; } g; int f(int); "
    "int n, many[20], *q; struct slot *p; void *v; ";

/// Where the pointer that `text` stores in the global `p` (or `q`) leads: `s+4` for the field at byte 4 of an element;
/// with `?` if the field is not known, with `!` if it may lead elsewhere too; nothing: into no row.
std::string led(const std::string& text, bool declared_arrays = true, std::uint64_t bytes = 4,
                const std::string& global = "p") {
  const api::ApiModels models = *api::ApiModels::shipped();
  const Program program = frontend::read_text(begin + text + " int main(void) { t(n); return 0; }");
  const PointedMemory memory(program, models, program.find_function("main"), declared_arrays);
  const Rows rows(program, memory);
  const auto object = memory.of(program.find_global(global));
  if (!object) return "not pointed to";
  const Rows::Lead lead = rows.lead(memory.points().contents({*object, 0}, 8), bytes);
  std::string out;
  for (const RowIndex row : lead.rows) {
    out += (out.empty() ? "" : " ") + memory.name(rows.row(row).object);
    const auto spot = std::ranges::find(lead.spots, row, &Rows::Spot::row);
    out += spot == lead.spots.end() ? "?" : "+" + std::to_string(spot->field);
  }
  return out + (!lead.rows.empty() && !lead.is_inside ? "!" : "");
}

TEST(Rows, APointerLeadsToAFieldOfSomeElement) {
  EXPECT_EQ(led("void t(int i) { v = &p; p = &s[i]; }"), "s+0");
  EXPECT_EQ(led("void t(int i) { v = &q; q = &s[i].x; }", true, 4, "q"), "s+4");
  EXPECT_EQ(led("void t(int i) { v = &p; p = &g.in[i]; }"), "g+0");
  EXPECT_EQ(led("void t(int i) { v = &p; p = &s[i]; p = &s[3]; }"), "s+0");
  EXPECT_EQ(led("void t(int i) { v = &p; s[i].x = 1; p = &s[3]; }"), "s+0") << "by a number that is known";
}

TEST(Rows, TheFieldIsNotKnown) {
  EXPECT_EQ(led("void t(int i) { v = &q; q = &s[i].x; q = &s[i].state; }", true, 4, "q"), "s?") << "two fields";
  EXPECT_EQ(led("void t(int i) { v = &q; q = (int *)s + i; p = &s[i]; }", true, 4, "q"), "s?") << "any int of them";
  EXPECT_EQ(led("void t(int i) { v = &p; p = &s[i]; }", true, 12), "s?!")
      << "more than an element, and behind the last";
  EXPECT_EQ(led("void t(int i) { v = &p; p = (struct slot *)((char *)&s[i] + n); }"), "s?!") << "anywhere";
}

TEST(Rows, ItMayLeadElsewhere) {
  EXPECT_EQ(led("struct slot one; void t(int i) { v = &p; p = &s[i]; if (n) p = &one; }"), "s+0!");
  EXPECT_EQ(led("struct slot one; void t(int i) { v = &p; s[i].x = 1; p = &one; }"), "");
  EXPECT_EQ(led("void t(int i) { v = &p; s[i].x = g.in[i].x; p = n ? &s[i] : &g.in[i]; }"), "g+0 s+0");
}

TEST(Rows, WithoutBoundsAnElementMayLieAnywhereInTheObject) {
  EXPECT_EQ(led("void t(int i) { v = &q; g.in[i].x = 1; q = &g.z; }", true, 4, "q"), "");
  EXPECT_EQ(led("void t(int i) { v = &q; g.in[i].x = 1; q = &g.z; }", false, 4, "q"), "g+0");
}

/// `1` for each instruction of `t` of which is followed what it is, and `0` for the others.
TEST(Rows, NumbersAreFollowedToWhereTheyBecomeAnIndex) {
  const api::ApiModels models = *api::ApiModels::shipped();
  const Program program = frontend::read_text(
      begin +
      "int pick(int k) { return k; } void t(int a) { int i = f(1), j = f(2); if (a) i = pick(f(3)); "
      "s[i].x = j; } int main(void) { t(n); return 0; }");
  const PointedMemory memory(program, models, program.find_function("main"), true);
  const Rows rows(program, memory);
  const FunctionId t = program.find_function("t");
  const Function& function = program.functions[t];
  std::string out;
  for (std::size_t k = 0; k < function.instructions.size(); ++k)
    if (function.instructions[k].is_call()) out += rows.is_followed(t, function.result_of(k)) ? '1' : '0';
  EXPECT_EQ(out, "1011") << "the calls of f for i, for j, for pick, and that of pick";
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::judge::transaction
