// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/summarise/summarise.h"

#include "scan/execute/symbolic_execution.h"
#include "scan/summarise/access_bounds.h"
#include "scan/summarise/function_exit.h"
#include "scan/summarise/guarded_accesses.h"
#include "scan/summarise/lock_flow.h"
#include "scan/summarise/summary_export.h"

namespace heddle::scan {

FunctionSummary Summariser::run(FunctionId function) {
  const FunctionBody body(in_.program, function);
  ValueNames names(in_, keys_, nodes_, body);
  Execution done(in_, body, names);
  done.backward_opaque = backward_opaque_;
  SymbolicExecution(in_, summaries_, body, names, done).run();
  // Beyond this line no new events; the walks below only add names, and threads of callees.
  LockFlow flow(in_, body, names, done);
  GuardedAccesses accesses(in_, body, names, done, flow);
  const FunctionExit returned(body, names, done, flow);
  // Beyond this line no new names.
  return SummaryExport(in_, body, names.nodes(), done, flow).run(accesses, returned);
}

Acquisitions Summariser::acquisitions(FunctionId function) {
  const FunctionBody body(in_.program, function);
  ValueNames names(in_, keys_, nodes_, body);
  Execution done(in_, body, names);
  SymbolicExecution(in_, summaries_, body, names, done).run();
  Acquisitions out;
  for (const SymbolicEvent& event : done.events) {
    if (event.kind == SymbolicEvent::Kind::Acquire) out.all.push_back({event.at.instruction, event.where});
    if (event.kind != SymbolicEvent::Kind::Call) continue;
    const BoundCall& call = done.calls[event.call];
    if (!call.is_bound) continue;
    const FunctionSummary& callee = *call.summary;
    for (const std::uint32_t exit :
         {callee.exit, callee.exit_zero, callee.exit_other, callee.exit_valid, callee.exit_if, callee.exit_else})
      for (const HeldLock& held : callee.locksets[exit].acquired)
        if (const Lvalue at = call.name(held.lock); at.valid()) out.all.push_back({event.at.instruction, at});
  }
  for (std::uint32_t i = 0; i < names.nodes().size(); ++i) out.nodes.push_back(names.nodes()[NodeId(i)]);
  return out;
}

AccessBounds Summariser::bounds(FunctionId function) {
  const FunctionBody body(in_.program, function);
  ValueNames names(in_, keys_, nodes_, body);
  Execution done(in_, body, names);
  SymbolicExecution(in_, summaries_, body, names, done).run();
  LockFlow flow(in_, body, names, done);
  return bound_accesses(body, names.nodes(), done, flow);
}

}  // namespace heddle::scan
