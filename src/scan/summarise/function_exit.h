// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FunctionExit: locks, threads, result and stores when a function returns, joined over its returns.
//
//   struct n *get(void) { if (!list) return 0; lock(&l); return list; }
//   p = get(); if (p) { …; unlock(&l); }       any: ({},{}); zero: ({},{}); other: ({l},{})
//
// If the lockset depends on whether the result is zero, it is kept for both. A result counts as zero or not only if
// that is sure; one of which nothing is known counts as both. So does one that may stand for an error, as
// `ERR_PTR(-12)` does, or be a pointer that may be followed. Likewise if it depends on a parameter:
//
//   void enter(struct cs *c) { if (c) lock(&c->m); }      if c is zero: ({},{}); if not: ({c->m},{})
#pragma once
#include <cstdint>
#include <vector>

#include "scan/summarise/lock_flow.h"

namespace heddle::scan {

class FunctionExit {
 public:
  FunctionExit(const FunctionBody& body, ValueNames& names, Execution& done, LockFlow& flow);

  LockState any, zero, other;  ///< not reached: there is no such return
  LockState valid;             ///< of `other`, where the result is no number that stands for an error
  Condition when;              ///< of the two that follow: a parameter is zero; always: nothing depends on one
  LockState if_zero, if_not;
  std::uint32_t thrown = 0;  ///< the lockset when an exception leaves the function
  SymbolicValue result;
  StoreMap stores;         ///< pointers that surely lie in memory
  Lvalue returned_handle;  ///< see FunctionSummary

 private:
  void add(const LockFlow::Variant& variant, const ReturnPoint& point);
  void add_phi(const LockFlow::Variant& variant, const Instruction& phi, const ReturnPoint& point);
  void add_result(Operand returned, const SymbolicValue& value, const LockState& state);
  [[nodiscard]] const Instruction* returned_phi(const ReturnPoint& point) const;
  void finish_result();
  void find_returned_parameter();
  void find_returned_handle();

  const FunctionBody& body_;
  ValueNames& names_;
  Execution& done_;
  LockFlow& flow_;
  SymbolicValue common_;               ///< of all results but those, if is_known_
  std::vector<std::int64_t> nowhere_;  ///< results that are null, or errors as pointers
  bool has_result_ = false, is_known_ = true;
};

}  // namespace heddle::scan
