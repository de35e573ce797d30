// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TakenObjects: accesses to an object that its thread took off a list, a stack or a queue, under a lock.
//
//   lock(m);  job = todo;  todo = job->next;  unlock(m);    the slot that it was read from holds another pointer now
//   lock(m);  job = q.slot[--q.count];  unlock(m);          or there is one element less
//   job->result = work(job->input);                         whoever comes later finds other objects
//
// Also what lies behind such an object, in functions that it is passed to on every way; and memory that a function made
// itself, but not what lies behind that. RELAY calls it unsharing. It is a doubt, not a proof: the object may be in two
// lists, and a pointer that wanders along a list is overwritten as well. Costs a look at the pointers of the accesses
// that are asked for, and at the arguments they came by.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "scan/objects/occurrences.h"

namespace heddle::scan {

/// Whether a function without a body returns memory that it makes.
[[nodiscard]] bool makes_memory(const ScanInput& input, Operand callee);

class TakenObjects {
 public:
  TakenObjects(const ScanInput& input, const std::vector<FunctionSummary>& summaries, const Reach& reach);

  /// The access goes to such an object, whoever made its function do so.
  [[nodiscard]] bool has(const Candidate& access);
  /// The load reads a pointer out of a slot that does not hold it any longer, and holds a lock.
  [[nodiscard]] bool takes_off(FunctionId id, std::size_t load) const;
  struct Call {
    FunctionId caller;
    std::uint32_t instruction = 0;
  };
  /// In functions that some thread comes to.
  [[nodiscard]] const std::vector<Call>& callers_of(FunctionId id) const { return callers_[id.index()]; }
  /// By those, and no thread begins there.
  [[nodiscard]] bool is_only_called(FunctionId id) const {
    return !callers_of(id).empty() && std::ranges::none_of(reach_.visits[id.index()], &Visit::is_root);
  }

 private:
  /// How a pointer was followed backward so far.
  struct Way {
    bool is_behind = false;  ///< over a pointer in memory: then it does not help that the function made that memory
    int left = 0;            ///< so many steps more
    [[nodiscard]] Way further() const { return {is_behind, left - 1}; }
    [[nodiscard]] Way behind() const { return {true, left - 1}; }
  };
  enum class Answer : std::uint8_t { Asked, Yes, No };
  [[nodiscard]] bool is_taken(FunctionId id, Operand pointer, Way way);
  [[nodiscard]] bool find_taken(FunctionId id, Operand pointer, Way way);
  [[nodiscard]] bool are_taken(FunctionId id, std::span<const Operand> pointers, Way way);
  [[nodiscard]] bool is_taken_by_callers(FunctionId id, std::uint32_t parameter, Way way);
  [[nodiscard]] bool is_returned_taken(FunctionId id, std::size_t call, Way way);
  [[nodiscard]] bool holds_a_lock(FunctionId id, std::size_t load) const;
  [[nodiscard]] static bool is_one_less(const Program& program, const Function& function, Operand value);

  const ScanInput& in_;
  const std::vector<FunctionSummary>& summaries_;
  const Reach& reach_;
  std::vector<std::vector<Call>> callers_;                               ///< by function
  std::map<std::tuple<FunctionId, std::uint32_t, bool>, Answer> known_;  ///< by function, value, Way::is_behind
};

}  // namespace heddle::scan
