// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SummaryExport: the FunctionSummary of what the three walks found. What the summary speaks of is copied into tables of
// its own: a function names hundreds of pieces of memory and hands on a few.
//
// Groups of accesses get names by content (the memory, its locks and threads): the same in the next run, and after the
// function was summarised once more. Groups that depend on a parameter come first, sorted by name; of more than
// Limits::dependent_groups the rest counts as settled.
#pragma once
#include <cstdint>
#include <vector>

#include "base/content_hash.h"
#include "scan/summarise/function_exit.h"
#include "scan/summarise/guarded_accesses.h"

namespace heddle::scan {

class SummaryExport {
 public:
  SummaryExport(const ScanInput& input, const FunctionBody& body, const NodeTable& nodes, const Execution& done,
                LockFlow& flow)
      : in_(input),
        body_(body),
        nodes_(nodes),
        done_(done),
        locksets_(flow.locksets().rows()),
        histories_(flow.histories()),
        states_(flow.threads().states()),
        node_ids_(nodes.size()),
        lockset_ids_(locksets_.size(), missing),
        history_ids_(histories_.all().size(), missing),
        state_ids_(states_.size(), missing),
        thread_ids_(done.threads.rows().size(), missing) {}

  FunctionSummary run(GuardedAccesses& accesses, const FunctionExit& exit);

 private:
  static constexpr std::uint32_t missing = ~0U;

  NodeId node(NodeId id);
  Lvalue name(Lvalue lvalue) { return {node(lvalue.node), lvalue.offset}; }
  Lvalue some_lock(Lvalue lock);
  SymbolicValue value(SymbolicValue value);
  std::uint32_t lockset(std::uint32_t id);
  std::uint32_t history(std::uint32_t id);
  AcquiredSet acquired(const AcquiredSet& set);
  void export_interrupted();
  std::uint32_t threads(std::uint32_t id);
  std::uint32_t started(std::uint32_t row);

  [[nodiscard]] bool is_dependent(const AccessGroup& group) const;
  std::uint64_t hash_of(NodeId exported);
  void add_threads(Hasher& hasher, const ThreadState& beside);
  void add_locks(Hasher& hasher, const RelativeLockset& lockset);
  void add_rows(Hasher& hasher, const LockHistory& history);
  [[nodiscard]] std::uint64_t name_of(const AccessGroup& group);

  void export_groups(GuardedAccesses& accesses);
  void export_exit(const FunctionExit& exit);
  void export_calls(GuardedAccesses& accesses);
  void find_asked();
  void export_result(const FunctionExit& exit);
  void shrink();

  const ScanInput& in_;
  const FunctionBody& body_;
  const NodeTable& nodes_;
  const Execution& done_;
  const std::vector<RelativeLockset>& locksets_;
  const HistoryTable& histories_;
  const std::vector<ThreadState>& states_;
  std::vector<NodeId> node_ids_;                                                   ///< ours, by theirs
  std::vector<std::uint32_t> lockset_ids_, history_ids_, state_ids_, thread_ids_;  ///< likewise
  std::vector<std::uint64_t> hashes_;                                              ///< by exported node
  FunctionSummary out_;
};

}  // namespace heddle::scan
