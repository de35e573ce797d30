// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SymbolicState: what the parts of symbolic execution share while they walk over one function. The parts are
// SymbolicExecution (instructions), CallEffects (calls of functions with a body) and LibraryActions (calls of functions
// with a model).
#pragma once
#include <cstdint>
#include <vector>

#include "scan/execute/execution.h"
#include "scan/execute/known_stores.h"
#include "scan/execute/value_names.h"

namespace heddle::scan {

struct SymbolicState {
  SymbolicState(const ScanInput& input, const std::vector<FunctionSummary>& all, const FunctionBody& of,
                ValueNames& values, Execution& into)
      : in(input),
        summaries(all),
        body(of),
        f(of.function),
        names(values),
        nodes(values.nodes()),
        stores(input, all, of, values, into.publication),
        done(into) {}

  const ScanInput& in;
  const std::vector<FunctionSummary>& summaries;  ///< of the callees, by FunctionId
  const FunctionBody& body;
  const Function& f;
  ValueNames& names;
  NodeTable& nodes;
  KnownStores stores;
  Execution& done;  ///< what is found

  /// At the cursor. What each thread has for itself, and what nobody can write, is left out. `address`: see OwnAccess.
  void add_access(Lvalue where, MemberKey key, AccessKind kind, bool is_atomic, std::uint64_t size,
                  std::size_t address = OwnAccess::no_operand);
  /// The frame ends at the cursor: a write to every local, for those who still know it (assumption `local-ends`).
  void end_locals();
  /// A pointer is stored at an address that may be one of several, or any: what other names say of that memory does not
  /// hold any more (RELAY's may(os)).
  void overwrite_others(Lvalue to);
  /// Memory that is made at the cursor. `ordinal` tells several by one call apart.
  [[nodiscard]] NodeId fresh_memory(std::int32_t ordinal, TypeId type);
};

}  // namespace heddle::scan
