// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/frontend.h"
#include "program/text/printer.h"

namespace heddle::frontend {

/// A folder of source files that lives as long as one test.
class ScratchFolder {
 public:
  ScratchFolder() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    std::string name = "heddle_" + std::to_string(getpid()) + "_" + test->test_suite_name() + "_" + test->name();
    std::ranges::replace(name, '/', '_');  // parameterised tests have slashes in their names
    path_ = std::filesystem::temp_directory_path() / name;
    std::filesystem::create_directories(path_);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, std::string_view text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

 private:
  std::filesystem::path path_;
};

/// The Program of one source text; an empty one, and a failed test, if it cannot be read.
inline Program read_text(std::string_view text, const std::string& name = "unit.c", Options options = {}) {
  const ScratchFolder folder;
  auto program = read_sources({{folder.write(name, text), {}}}, options);
  if (program) return std::move(*program);
  ADD_FAILURE() << program.error().message;
  return {};
}

inline std::string error_of(std::string_view text, const std::string& name = "unit.c", Options options = {}) {
  const ScratchFolder folder;
  const auto program = read_sources({{folder.write(name, text), {}}}, options);
  return program ? "" : program.error().message;
}

inline constexpr Options ilp32 = {DataModel::Ilp32};

/// The instructions of a function, one a line, without locations: what `heddle ir` shows.
inline std::string body_of(const Program& program, std::string_view name) {
  const FunctionId id = program.find_function(name);
  if (!id.valid()) return "<no function>";
  const Function& function = program.functions[id];
  std::string out;
  for (std::size_t b = 0; b < function.blocks.size(); ++b) {
    out += "b" + std::to_string(b) + ":\n";
    for (const Instruction& instruction : function.instructions_of(function.blocks[b]))
      out += "  " + to_text(program, function, instruction) + "\n";
  }
  return out;
}

inline std::size_t count_of(const Program& program, std::string_view function, Opcode opcode) {
  const FunctionId id = program.find_function(function);
  std::size_t count = 0;
  if (id.valid())
    for (const Instruction& instruction : program.functions[id].instructions) count += instruction.opcode == opcode;
  return count;
}

}  // namespace heddle::frontend
