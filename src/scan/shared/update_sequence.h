// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// UpdateSequences: how a pointer comes from where it began to the store that updates what it leads to (CAV07,
// Definition 1), in words, with a place for each step.
//
//   main.c:31:3   main   passes &jobs to put as q
//   queue.c:12:9  put    follows q->head
//   queue.c:12:15 put    writes q->head->len
//
// Read backward from the store over the definitions of values, which are assigned once: a pointer that was assigned
// anew on the way is another value, so no step follows one that a strong update ended. Which calls lead to the store is
// what the summaries say. For people: where several values meet, the first one that is new is followed.
#pragma once
#include <string>
#include <vector>

#include "program/names/access_path_namer.h"
#include "race/access.h"
#include "scan/pairs/candidates.h"

namespace heddle::scan {

struct UpdateStep {
  race::CallStep at;
  std::string text;  ///< `passes &jobs to put as q`
};

/// An access to a variable.
struct AccessSpot {
  race::CallStep at;
  AccessKind kind = AccessKind::Read;
  friend auto operator<=>(const AccessSpot&, const AccessSpot&) = default;
};

class UpdateSequences {
 public:
  UpdateSequences(const Program& program, const std::vector<FunctionSummary>& summaries)
      : program_(program), summaries_(summaries), namer_(program, paths_) {}

  /// The steps to an access, the access itself last.
  std::vector<UpdateStep> to(const Candidate& access);

 private:
  struct Walk;
  void follow(Walk& walk);
  bool step_back(Walk& walk, const Function& function);
  bool pass_parameter(Walk& walk);
  [[nodiscard]] Operand chosen_input(const Walk& walk, const Function& function, const Instruction& code) const;
  [[nodiscard]] std::string object(FunctionId function, Operand pointer);
  [[nodiscard]] std::string address(FunctionId function, Operand pointer);
  [[nodiscard]] std::string parameter_name(const Function& function, std::uint32_t index) const;

  const Program& program_;
  const std::vector<FunctionSummary>& summaries_;
  AccessPathTable paths_;
  AccessPathNamer namer_;
};

}  // namespace heddle::scan
