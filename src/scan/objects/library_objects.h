// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LibraryObjects: calls of a library on two objects of which one is what a variable of the library itself leads to.
//
//   fprintf(stderr, …);                              what stderr leads to
//   f = name ? fopen(name, "r") : stdin; fclose(f);  what stdin leads to, or a new one: another object in any case
//
// A variable of the library is one that the program declares, reads, and never writes or takes the address of. Two of
// them lead to two objects, and neither to one that a call made. A pointer is followed backward along the calls that
// lead to an access; where it comes from elsewhere, nothing is said. A doubt, since libraries may have two names for
// one object. Costs one look at all operands, and a look at the pointers of the calls that are asked for.
#pragma once
#include <set>
#include <span>
#include <vector>

#include "scan/objects/taken_objects.h"

namespace heddle::scan {

class LibraryObjects {
 public:
  LibraryObjects(const ScanInput& input, const std::vector<FunctionSummary>& summaries, const TakenObjects& calls);

  /// Both are calls, on objects that cannot be one.
  [[nodiscard]] bool are_others(const Candidate& a, const Candidate& b) const;

 private:
  struct Origins {
    std::set<GlobalId> variables;
    bool is_made = false;  ///< by a call
    bool is_known = true;  ///< false: there are others
    int left = 200;        ///< so many steps more
    std::set<std::pair<FunctionId, std::uint32_t>> seen = {};
  };
  using Steps = std::span<const race::CallStep>;
  [[nodiscard]] Origins origins_of(const Candidate& access) const;
  void follow(FunctionId id, Operand pointer, Steps steps, Origins& out) const;
  void follow_parameter(FunctionId id, std::uint32_t parameter, Steps steps, Origins& out) const;
  [[nodiscard]] bool is_of_library(Operand address) const { return address.is_global() && own_[address.index()]; }

  const ScanInput& in_;
  const std::vector<FunctionSummary>& summaries_;
  const TakenObjects& calls_;
  std::vector<bool> own_;  ///< by GlobalId
};

}  // namespace heddle::scan
