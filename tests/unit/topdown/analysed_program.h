// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A C program and what the top-down driver says of it, before any judge: which variables have a pair of accesses that
// nothing separates, what stood in the way, why the others are apart, which locks are held. Tests ask for these facts
// and not for the insides of the analysis, so that they survive changes of those.
//
//   const AnalysedProgram p("THREAD(w) { x = 1; return 0; }  int main(void) { START(w); x = 2; return 0; }");
//   p.warnings()          "x"
//   p.separations("x")    {}
//
// The text stands behind `prelude`, which declares the usual functions and variables. Functions `lib_…` have models of
// their own, one per action that no shipped function shows alone.
#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>

#include "api/models/api_models.h"
#include "frontend/frontend.h"
#include "topdown/cases/evidence.h"
#include "topdown/transfer/top_down.h"

namespace heddle::topdown {

class AnalysedProgram {
 public:
  explicit AnalysedProgram(const std::string& text, const std::string& file = "unit.c", frontend::Options options = {},
                           const TopDownOptions& limits = {});

  /// The variables of the warnings, in order, with blanks between.
  [[nodiscard]] std::string warnings() const;
  /// What the analysis could not treat, one sentence per line.
  [[nodiscard]] std::string obstacles() const;
  /// `proved`; or the warnings; or, where there are none, the obstacles.
  [[nodiscard]] std::string says() const;
  /// Why pairs of accesses to the variable are apart, leaving out those that only read or that one thread makes.
  [[nodiscard]] std::set<std::string> separations(const std::string& variable) const;
  /// The locks at accesses to the variable: `m`, `w (shared)`.
  [[nodiscard]] std::set<std::string> locks(const std::string& variable) const;

  [[nodiscard]] const Program& program() const { return *program_; }
  [[nodiscard]] const TopDownResult& result() const { return result_; }

 private:
  std::unique_ptr<Program> program_;
  std::unique_ptr<api::ApiModels> models_;
  TopDownResult result_;
};

/// A row of a table of programs.
struct ProgramCase {
  const char* name;
  /// `proved`, the variables that are warned of, or a part of the sentence that says what stands in the way.
  const char* says;
  const char* text;
  const char* file = "unit.c";
};
void PrintTo(const ProgramCase& row, std::ostream* out);

/// With these the smallest program is analysed as the largest ones are.
TopDownOptions as_of_large_programs();

/// The analysis says of the program what its row says; analysed as large programs are, it may say less, but no proof.
void check(const ProgramCase& row);

inline std::string name_of(const testing::TestParamInfo<ProgramCase>& info) { return info.param.name; }

}  // namespace heddle::topdown
