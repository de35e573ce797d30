// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>

#include "frontend/scratch_source.h"
#include "pipeline/depend/depend.h"

namespace heddle::pipeline {
namespace {

const std::string system_text =
    "[[entry]]\nfunction = \"task\"\nkind = \"task\"\npriority = 1\n"
    "[[entry]]\nfunction = \"isr\"\nkind = \"interrupt\"\npriority = 2\n";

/// Two readings of x that the interrupt can come between, and two of y that a flag keeps it from, in a way that is hard
/// to see without running.
const std::string code =
    "int x, y, busy, out; int get(void); static void set(int on) { busy = on; }\n"
    "void task(void) {\n"
    "  out = x;\n"
    "  out += x;\n"
    "  set(1);\n"
    "  out += y;\n"
    "  out += y;\n"
    "  set(0);\n"
    "}\n"
    "void isr(void) {\n"
    "  x = get();\n"
    "  if (busy * busy + busy != 2) y = get();\n"
    "}\n";

Depended depended(bool only_triples, bool settles) {
  DependOptions options;
  options.only_triples = only_triples;
  options.settles = settles ? Settling::Yes : Settling::No;
  const frontend::ScratchFolder folder;
  Input input;
  input.sources = {{folder.write("unit.c", code), {}}};
  input.model_files = {folder.write("heddle.toml", system_text)};
  auto found = depend_triples(input, options);
  EXPECT_TRUE(found.has_value()) << found.error().message;
  return found ? *found : Depended{};
}

TEST(DependText, WithoutSettlingNothingIsLeftOut) {
  const Depended found = depended(true, false);
  EXPECT_TRUE(found.text.contains("x<R#3>,<W#11>,<R#4>\n")) << found.text;
  EXPECT_TRUE(found.text.contains("y<R#6>,<W#12>,<R#7>\n")) << found.text;
}

TEST(DependText, RefutedTriplesAreLeftOutOfTheList) {
  const Depended found = depended(true, true);
  EXPECT_TRUE(found.text.contains("x<R#3>,<W#11>,<R#4>\n")) << found.text;
  EXPECT_FALSE(found.text.contains("y<R#6>")) << found.text;
  EXPECT_EQ(found.triples, static_cast<std::size_t>(std::ranges::count(found.text, '\n')));
}

TEST(DependText, TheReportSaysWhatBecameOfEach) {
  const Depended found = depended(false, true);
  EXPECT_TRUE(
      found.text.contains("x<R#3>,<W#11>,<R#4>\n    'task' (task, priority 1), interrupted by 'isr' (interrupt, "
                          "priority 2)\n"))
      << found.text;
  EXPECT_TRUE(found.text.contains(" in 'task'\n    confirmed\n      'task' begins\n")) << found.text;
  EXPECT_TRUE(found.text.contains("    refuted\n")) << found.text;
  EXPECT_TRUE(found.text.contains(" confirmed, 1 refuted, 0 not decided\n")) << found.text;
}

}  // namespace
}  // namespace heddle::pipeline
