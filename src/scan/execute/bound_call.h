// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BoundCall: a call with the callee's names in the caller's terms (the paper's rebind).
//
//   void f(struct dev *d) { g(d->port); }        names of g: Formal 0 -> what `d->port` leads to, …
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "scan/summary/function_summary.h"

namespace heddle::scan {

struct BoundCall {
  FunctionId callee;
  std::uint32_t instruction = 0;
  std::span<const Operand> arguments;        ///< of the call itself, or those a library passes to its callback
  const FunctionSummary* summary = nullptr;  ///< of the callee; an empty one if it is not to be looked at
  std::uint32_t rank = 0;                    ///< of its block
  bool in_loop = false;
  bool hands_on = false;       ///< its callee's accesses
  Condition when = {};         ///< through a parameter: it is this callee
  bool is_bound = false;       ///< `names` are there: the callee has a summary that is looked at
  bool keeps_history = true;   ///< what the callee says of acquisitions is used
  bool may_interrupt = false;  ///< it may give back any lock of ours for a while
  std::vector<Lvalue> names;   ///< by callee node; invalid: has no name here, see below

  /// The callee's lvalue in our terms; invalid if it has no name here.
  [[nodiscard]] Lvalue name(Lvalue theirs) const {
    const Lvalue at = names[theirs.node.index()];
    return at.valid() ? Lvalue{at.node, at.offset + theirs.offset} : at;
  }
  /// What a pointer in our own memory leads to, if it is not known what was stored there: no name, but not nothing.
  static constexpr Lvalue somewhere() { return {NodeId{}, 1}; }
  /// What has a name in the callee that is too long for us.
  static constexpr Lvalue too_deep() { return {NodeId{}, 2}; }
  static bool has_no_name(Lvalue at) { return at == somewhere() || at == too_deep(); }

  [[nodiscard]] bool never_returns() const {
    return summary->missing == FunctionSummary::Missing::None && !summary->returns;
  }
};

}  // namespace heddle::scan
