// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whom a call may reach. Direct calls say so. For calls through pointers, in this order:
//
//   ops->read(…)     functions that flow into that member, parameter or global: function_flow.h
//                    (assumption `function-tables`)
//   o->method(…)     functions in that slot of the tables of the class and of those derived from it: virtual_tables.h
//                    (likewise)
//   (*f)(…)          else functions of the pointer's class whose type fits the call (assumption `function-types`);
//                    if it is known where the pointer lies, only those that may have come there unseen:
//                    FunctionFlow::has_left. Many of them are only reached, very many are none: such calls are counted
//                    (`unfollowed-calls`)
//
// Both narrow what the alias analysis says; without them the classes alone decide. Also the SCCs of the
// resulting graph, callees first.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "alias/alias_facts.h"
#include "program/model/program.h"
#include "scan/calls/assumptions.h"
#include "scan/calls/function_flow.h"
#include "scan/names/source_structs.h"

namespace heddle::scan {

class CallTargets {
 public:
  CallTargets(const Program& program, const alias::AliasFacts& aliases, const Assumptions& assumptions);

  /// Ascending; empty if nobody is known.
  [[nodiscard]] std::span<const FunctionId> of(FunctionId caller, std::size_t instruction) const;
  /// All that of() says about one caller: calls through pointers and those that call back.
  struct Indirect {
    FunctionId caller;
    std::uint32_t instruction = 0;
    std::vector<FunctionId> targets;
    bool is_loose = false;  ///< too many: they are no callees(), so nobody knows what they do to locks of the caller
    bool is_cut = false;    ///< there may be others
  };
  [[nodiscard]] std::span<const Indirect> indirect(FunctionId caller) const;
  /// How many calls through pointers in a function lead nowhere, or not to all that they may: too many have their type.
  [[nodiscard]] std::uint32_t unfollowed(FunctionId caller) const;
  /// Strongly connected components of the call graph, callees before callers; as far as that is possible, within one
  /// too.
  [[nodiscard]] const std::vector<std::vector<FunctionId>>& components() const { return components_; }
  [[nodiscard]] std::span<const FunctionId> callees(FunctionId caller) const { return callees_[caller.index()]; }
  [[nodiscard]] const SourceStructs& sources() const { return sources_; }
  [[nodiscard]] std::uint32_t component_of(FunctionId f) const { return component_of_[f.index()]; }
  /// Whether a call within a component goes to one that stands no earlier in it, so that it may not be summarised yet.
  [[nodiscard]] bool goes_backward(FunctionId caller, FunctionId callee) const {
    return component_of(caller) == component_of(callee) && place_[callee.index()] >= place_[caller.index()];
  }

 private:
  void resolve(FunctionId caller, const alias::AliasFacts& aliases, const FunctionFlow* flow);
  [[nodiscard]] Indirect through_pointer(FunctionId caller, std::size_t instruction, std::span<const FunctionId> may,
                                         const FunctionFlow* flow) const;
  void find_components();

  const Program& program_;
  bool by_type_ = true;  ///< assumption `function-types`
  const SourceStructs sources_;
  std::vector<Indirect> indirect_;  ///< sorted by caller, instruction
  std::vector<std::vector<FunctionId>> callees_;
  std::vector<std::vector<FunctionId>> components_;
  std::vector<std::uint32_t> component_of_, place_;
};

}  // namespace heddle::scan
