// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "depend/judge/settle.h"
#include "tests/unit/depend/system_of.h"

namespace heddle::depend {

/// A task, a stronger interrupt with the number 3, and one that is stronger still with the number 4.
inline const std::string three_levels = entry_table("task", "task", "priority = 1") +
                                        entry_table("isr", "interrupt", "priority = 2\nnumber = 3") +
                                        entry_table("high", "interrupt", "priority = 3\nnumber = 4") +
                                        "[[mask]]\ndisable = \"off\"\nenable = \"on\"\nargument = 0\nall = 255\n"
                                        "[[mask]]\ndisable = \"save\"\nrestore = \"back\"\n";

inline const std::string declarations =
    "int x, y, z, m, n, f, g, a[4]; void off(int); void on(int); void save(void); void back(void); int get(void); "
    "void send(int); extern volatile int REG; volatile unsigned char port; void high(void);\n";

/// A triple by its text, whether anybody would list it or not: `x<R#2>,<W#5>,<R#3>`; lines count behind `declarations`.
/// With `~` before it the first and the last are parts of one access.
inline Triple triple_at(const TestSystem& made, const std::string& text) {
  static const std::regex form(R"(~?(\w+)(?:/(\w+))?<([RW])#(\d+)>,<([RW])#(\d+)>,<([RW])#(\d+)>)");
  std::smatch parts;
  if (!std::regex_match(text, parts, form)) {
    ADD_FAILURE() << text;
    return {};
  }
  const auto access = [&](const std::string& variable, const std::string& kind, const std::string& line) {
    Access found;
    for (std::size_t g = 0; g < made.program.globals.size(); ++g)
      if (made.program.globals[GlobalId(g)].shown_name() == variable) found.variable = GlobalId(g);
    found.reads = kind == "R";
    found.writes = kind == "W";
    for (std::size_t f = 0; f < made.program.functions.size(); ++f) {
      const Function& function = made.program.functions[FunctionId(f)];
      for (std::size_t i = 0; i < function.instructions.size(); ++i) {
        const LocationId at = function.instructions[i].location;
        if (!at || made.program.locations[at].line != std::stoul(line) + 1) continue;
        found.function = FunctionId(f);
        found.instruction = i;
      }
    }
    EXPECT_TRUE(found.variable.valid() && found.function.valid()) << text;
    return found;
  };
  const std::string other = parts[2].matched ? parts[2].str() : parts[1].str();
  Triple triple;
  triple.first = access(parts[1], parts[3], parts[4]);
  triple.second = access(other, parts[7], parts[8]);
  triple.between = access(other, parts[5], parts[6]);
  triple.first_writes = parts[3] == "W";
  triple.between_writes = parts[5] == "W";
  triple.second_writes = parts[7] == "W";
  return triple;
}

inline Verdict verdict(const std::string& code, const std::string& text, const std::string& toml = three_levels,
                       const SettleLimits& limits = {}) {
  const TestSystem made(declarations + code + (code.contains("void high(void) {") ? "" : "void high(void) {}\n"), toml);
  if (!made.system) {
    ADD_FAILURE() << made.message();
    return {};
  }
  Triple triple = triple_at(made, text);
  triple.is_in_steps = text.starts_with('~');
  TestFacts known(made);
  return settle(known.facts, {triple}, limits).front();
}

/// With the schedule, a line each, without the name of the file.
inline std::string settled(const std::string& code, const std::string& text, const std::string& toml = three_levels) {
  const Verdict found = verdict(code, text, toml);
  std::string out = to_text(found);
  for (const std::string& line : found.story) out += "\n" + line;
  return std::regex_replace(out, std::regex("unit\\.c:"), "line ");
}

inline std::string word(const std::string& code, const std::string& text, const std::string& toml = three_levels) {
  return to_text(verdict(code, text, toml));
}

}  // namespace heddle::depend
