// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locks, result and stores when the function returns. If the lockset depends on whether the result is zero, it is kept
// for both: `p = get(); if (p) { …; unlock(&l); }`.
#include <algorithm>

#include "scan/summarise/summarise.h"

namespace heddle::scan {

void Summariser::finish_exits() {
  Returned all;
  if (variants_.empty()) {
    for (const Exit& exit : exits_) add_exit(exit, all);
  } else {
    for (const std::size_t variant : {0U, 1U}) {
      assumed_ = variant == 0 ? Outcome::Zero : Outcome::NonZero;
      in_states_ = variants_[variant];
      for (const Exit& exit : exits_) add_exit(exit, all);
    }
  }
  out_.returns = all.any.reached;
  out_.exit = all.any.reached ? all.any.lockset : 0;
  out_.exit_threads = all.any.threads;
  out_.exit_zero = all.zero.reached ? all.zero.lockset : out_.exit;
  out_.exit_other = all.other.reached ? all.other.lockset : out_.exit;
  out_.splits_by_result = all.zero.reached && all.other.reached && out_.exit_zero != out_.exit_other;
  // Null leads nowhere, so that a pointer may be null as well does not matter; a number is one or none.
  if (all.has_result && all.is_known && (all.result.is_address() || !all.has_zero)) out_.result = all.result;
  if (all.has_zero && !all.has_result) out_.result = {.kind = SymbolicValue::Kind::Number};
  if (has_lock_events_ && exits_.size() == 1 && !out_.result.is_address() && exits_[0].symbolic.is_address() &&
      nodes_[exits_[0].symbolic.address.node].kind == NodeKind::Value)
    out_.result = exits_[0].symbolic;
  out_.stores = std::move(all.stores);
  find_returned_handle();
}

void Summariser::add_exit(const Exit& exit, Returned& all) {
  if (!in_states_[exit.rank].reached) return;
  LockState out = flow_block(exit.rank, in_states_[exit.rank]);
  if (out.ended) return;
  out.reached = true;
  if (!all.any.reached) {
    all.stores = exit.store;
  } else {
    std::erase_if(all.stores, [&](const auto& entry) {
      const auto same = std::ranges::lower_bound(exit.store, entry.first, {}, &StoreMap::value_type::first);
      return same == exit.store.end() || same->first != entry.first || !(same->second == entry.second);
    });
  }
  merge(all.any, out);
  if (!exit.has_value) return;
  if (const Instruction* phi = returned_phi(exit)) return add_phi(*phi, exit, all);
  const bool decides_a_lock = out.pending != none && exit.value.is_value() &&
                              f_->result_of(events_[out.pending].instruction).index() == exit.value.index();
  if (!decides_a_lock) return add_result(exit.symbolic, out, all);
  // `return trylock(&l);`
  merge(all.zero, refine(out, Outcome::Zero));
  merge(all.other, refine(out, Outcome::NonZero));
  all.is_known = false;
  all.has_result = true;
}

/// One return for all: the phi in front of it knows the value for each way there.
const Instruction* Summariser::returned_phi(const Exit& exit) const {
  if (!exit.value.is_value() || f_->is_parameter(exit.value.as_value())) return nullptr;
  const std::size_t at = f_->definition(exit.value.as_value());
  const Block& block = f_->blocks[cfg_.order[exit.rank].index()];
  const bool is_here = at >= block.first && at < block.first + block.count;
  return is_here && f_->instructions[at].opcode == Opcode::Phi &&
                 block_events_[exit.rank].first == block_events_[exit.rank].second
             ? &f_->instructions[at]
             : nullptr;
}

void Summariser::add_phi(const Instruction& phi, const Exit& exit, Returned& all) {
  const auto operands = f_->operands_of(phi);
  for (std::size_t k = 0; k + 1 < operands.size(); k += 2) {
    const std::uint32_t from = cfg_.rank[operands[k + 1].index()];
    if (from == flow::Cfg::none_rank || !in_states_[from].reached) continue;
    LockState edge = flow_block(from, in_states_[from]);
    if (edge.ended) continue;
    edge.reached = true;
    const auto& successors = cfg_.successors[cfg_.order[from].index()];
    const std::size_t way = successors[0] == cfg_.order[exit.rank] ? 0 : 1;
    if (successors.size() == 2 && !may_go(from, way)) continue;
    if (tests_[from] && edge.pending != none && successors.size() == 2 &&
        f_->result_of(events_[edge.pending].instruction).index() == tests_[from]->value)
      edge = refine(edge, tests_[from]->on(way));
    cross(from, exit.rank, edge);
    add_result(value_of(operands[k]), edge, all);
  }
}

void Summariser::add_result(const SymbolicValue& value, const LockState& state, Returned& all) {
  const bool is_zero = value.is_null();
  const bool is_other =
      (value.kind == SymbolicValue::Kind::Number && value.number != 0) || value.kind == SymbolicValue::Kind::Code ||
      (value.is_address() && nodes_[value.address.node].kind != NodeKind::Formal &&
       nodes_[value.address.node].kind != NodeKind::Value && nodes_[value.address.node].kind != NodeKind::Target);
  if (!is_other) merge(all.zero, state);
  if (!is_zero) merge(all.other, state);
  all.has_zero |= is_zero;
  if (is_zero) return;
  if (!all.has_result) all.result = value;
  all.is_known = all.is_known && (!all.has_result || value == all.result) && value.kind != SymbolicValue::Kind::Unknown;
  all.has_result = true;
}

}  // namespace heddle::scan
