// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TermSummaries: what a lock pointer was when the function began (CAV07 §3.3, Algorithm 2): a backward walk from a
// point over the assignments of the function that ends, on all paths, with one pointer in terms of its parameters and
// of globals; or with none.
//
//   1c: p = g3;                  before 5c, q was *g4 when goo began: q = g4 on every path
//   2c: q = g4;                  and p is nothing: *g5 on one path, *g3 on the other, and nobody can tell
//   3c: if (c) 4c: p = g5;       whether these are the same
//   5c: u = 1;
//
// The sets of the printed algorithm have at most one element: line 6 replaces a pointer by what was assigned to it,
// and joins intersect; so a summary is a term or nothing. Locations are walked in *ready* order (successors first;
// edges that go back in the order are processed when their source comes up, and the walk goes on until nothing
// changes). A call is crossed by the callee's own summary at its exit, made when it is asked for: the tuple at the call
// waits for it. A point means "before this instruction".
//
// What ends a sequence without a name: a store that may write one of the pointers on the term's path and is not to
// exactly that one, a callee that may and is not a single function in sight, recursion, numbers that are made pointers,
// assembly. What a function makes and no caller can name (memory, results of other calls, pointers chosen by an index
// or a condition) is its own root, unless it may be made twice in one call: then two of them are not the same.
//
// Sound for the steps of one thread, under the assumptions of AliasFacts: that no other thread writes the pointers on
// the path of a term in between is the assumption `stable-paths` of scans; terms without a path do not need it. Cost:
// one walk per point, function and pointer that is asked for, kept.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "alias/locks/memory_writes.h"
#include "flow/cfg.h"

namespace heddle::alias {

class TermSummaries {
 public:
  explicit TermSummaries(MemoryWrites& memory);

  /// What `term` before instruction `point` of the function was when it began.
  std::optional<LockTerm> before(FunctionId function, std::uint32_t point, const LockTerm& term);
  /// The same for when it returns; a term of its parameters and of globals.
  std::optional<LockTerm> at_exit(FunctionId function, const LockTerm& term);
  /// The same for what it returns, with the path of `term`, whose root does not count.
  std::optional<LockTerm> of_result(FunctionId function, const LockTerm& term);
  /// A term of the callee's entry in terms of the caller, before the call.
  std::optional<LockTerm> at_call(FunctionId caller, std::uint32_t call, FunctionId callee, const LockTerm& term) const;
  /// The operand, with fixed distances, casts and the like resolved.
  [[nodiscard]] std::optional<LockTerm> term_of(FunctionId function, Operand operand) const;

  [[nodiscard]] std::size_t functions_summarised() const { return flows_.size(); }
  [[nodiscard]] std::size_t size() const { return known_.size(); }

 private:
  enum class Point : std::uint8_t { Before, Exit, Result };
  struct Question {
    FunctionId function;
    Point point = Point::Before;
    std::uint32_t instruction = 0;
    LockTerm term;
    friend auto operator<=>(const Question&, const Question&) = default;
  };
  struct Flow {
    flow::Cfg cfg;
    std::vector<std::uint32_t> block_of;  ///< by instruction
  };
  class Walk;

  std::optional<LockTerm> answer(const Question& question);
  const Flow& flow_of(FunctionId function);
  [[nodiscard]] static bool is_in_cycle(const Flow& flow, std::uint32_t block);
  std::optional<LockTerm> back(FunctionId function, std::uint32_t instruction, const LockTerm& term);
  std::optional<LockTerm> defined(FunctionId function, std::uint32_t instruction, const LockTerm& term);
  std::optional<LockTerm> stored(FunctionId function, std::uint32_t instruction, const LockTerm& term);
  std::optional<LockTerm> called(FunctionId function, std::uint32_t call, const LockTerm& term);
  std::optional<LockTerm> made_here(FunctionId function, std::uint32_t instruction, const LockTerm& term);
  [[nodiscard]] FunctionId only_target(FunctionId function, std::uint32_t call) const;
  std::optional<LockTerm> in_callee(FunctionId caller, std::uint32_t call, FunctionId callee,
                                    const LockTerm& term) const;

  MemoryWrites& memory_;
  const Program& program_;
  std::map<FunctionId, Flow> flows_;
  std::map<Question, std::optional<LockTerm>> known_;
  std::set<Question> open_;  ///< being answered: recursion
};

}  // namespace heddle::alias
