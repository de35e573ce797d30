// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What speaks against a race of two threads of one team (OpenMP), or of others that wait at barriers, as far as one
// function shows it:
//
//   for (i = low; i <= high; i++) a[i]++;      both go by a number that is dealt out, in the same way: each thread has
//                                              others. Not so a[i] and a[i + 1], nor a[i / 2]
//   barrier();
//   sum += a[0];                               a barrier lies between the two accesses on every way
//
// These are doubts, not proofs: loops that begin again without a barrier may be dealt out otherwise, and not all
// threads need wait at a barrier. `verify` decides (topdown/actions/team_actions.h). Programs without teams cost one
// walk over their calls.
#pragma once
#include <map>
#include <set>
#include <vector>

#include "scan/summary/scan_input.h"

namespace heddle::scan {

class TeamDoubts {
 public:
  explicit TeamDoubts(const ScanInput& input);

  /// Of two accesses in one function: their addresses depend in the same way on a number that was dealt out.
  [[nodiscard]] bool go_by_share(FunctionId function, std::uint32_t first, std::uint32_t second);
  /// Of two accesses in one function: they go to element n of an array, where n is its first parameter as it is given.
  [[nodiscard]] bool go_by_parameter(FunctionId function, std::uint32_t first, std::uint32_t second) const;
  [[nodiscard]] bool are_known() const { return has_teams_; }
  /// Of two accesses in one function: no barrier is the last one before both.
  [[nodiscard]] bool have_barrier_between(FunctionId function, std::uint32_t first, std::uint32_t second);

 private:
  using Barriers = std::set<std::uint32_t>;  ///< instructions; 0xffffffff: the beginning
  struct Body {
    std::vector<Barriers> at_entry;        ///< by block: which barriers may have been the last
    std::set<std::uint32_t> dealt_values;  ///< values that depend on what is dealt out
  };
  /// A sum of multiples of values (or, behind those, globals), plus a constant.
  struct Sum {
    std::int64_t constant = 0;
    std::map<std::uint32_t, std::int64_t> terms;
    void add(const Sum& other, std::int64_t factor);
    friend bool operator==(const Sum&, const Sum&) = default;
  };
  void find_functions(const ScanInput& input);
  const Body& body_of(FunctionId function);
  void find_phases(const Function& function, Body& body) const;
  void find_dealt(const Function& function, Body& body) const;
  [[nodiscard]] Sum sum_of(const Function& function, Operand operand, int depth) const;
  [[nodiscard]] Sum address_of(const Function& function, std::uint32_t instruction) const;
  /// The value is the first parameter, as a number.
  [[nodiscard]] static bool is_first_parameter(const Function& function, ValueId value);
  [[nodiscard]] Barriers last_before(const Function& function, const Body& body, std::uint32_t instruction) const;
  [[nodiscard]] bool is_call_of(const Function& function, const Instruction& code,
                                const std::set<FunctionId>& functions) const;

  const Program& program_;
  bool has_teams_ = false;
  std::set<FunctionId> waits_;  ///< that may wait at a barrier
  std::set<FunctionId> deals_;  ///< that return or write a number which is the thread's own
  std::map<FunctionId, Body> bodies_;
};

}  // namespace heddle::scan
