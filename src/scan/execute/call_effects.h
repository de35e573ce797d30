// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CallEffects: what calls of functions with a body do to the names and events of their caller. The callee's summary is
// put into the caller's terms (the paper's rebind).
//
//   void set(struct a *a, struct b *b) { a->b = b; }          stores: a->b is Formal 1
//   set(x, y); x->b->n = 1;                                   the caller knows: it is y->n that is written
//
// A call becomes an event; what it does to locks, threads and shared memory is applied by the later walks. A callee
// that the call graph does not know here (only symbolic execution found it) may have no summary yet: it counts as one
// of which nothing is known, and its accesses as settled there.
#pragma once
#include <cstdint>
#include <span>

#include "scan/execute/symbolic_state.h"

namespace heddle::scan {

class CallEffects {
 public:
  explicit CallEffects(SymbolicState& state) : s_(state) {}

  /// `arguments` must live as long as the Execution. `is_opaque`: one of very many, of which only the threads it
  /// starts, the locks it gives back and what it makes known or overwrites are looked at.
  void call(FunctionId callee, std::span<const Operand> arguments, bool is_opaque, Condition when = {});
  /// Through a pointer: each of the targets may be meant.
  void call_pointer(Operand pointer, std::span<const Operand> arguments);
  /// Code that is not known reads and writes what it is given.
  void touch_all(std::span<const Operand> arguments);
  /// Code that is taken to touch nothing of others may all the same have filled in what it was given.
  void forget_all(std::span<const Operand> arguments);
  void spawn(const SymbolicValue& entry, const SymbolicValue& argument, Lvalue handle, bool is_group);

 private:
  [[nodiscard]] bool hands_on(FunctionId callee) const;
  void limit_history(BoundCall& call) const;
  [[nodiscard]] SymbolicValue bound_result(const BoundCall& call);
  void bind(BoundCall& call, std::span<const Operand> arguments);
  [[nodiscard]] Lvalue bound_name(const FunctionSummary& callee, std::size_t node, const BoundCall& call,
                                  std::span<const Operand> arguments);
  [[nodiscard]] Lvalue bound_target(const Node& node, const BoundCall& call);
  void pass_on_overwriting(const BoundCall& call, std::uint32_t argument, NodeId given);
  void forget_written_below(const BoundCall& call);
  void forget_written(const BoundCall& call, std::span<const Operand> arguments);
  void apply_stores(const BoundCall& call, std::span<const Operand> arguments);
  void publish_escaping(const BoundCall& call, std::span<const Operand> arguments);
  void pass_on_spawns(const BoundCall& call);

  SymbolicState& s_;
};

/// A value of the callee in our terms.
[[nodiscard]] SymbolicValue bound_value(const SymbolicValue& value, const BoundCall& call);
/// What a function pointer of the callee is here. `init(formal)` of one is the argument itself.
[[nodiscard]] SymbolicValue bound_entry(const SymbolicValue& entry, const BoundCall& call, ValueNames& names);

}  // namespace heddle::scan
