// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/execute/known_stores.h"

#include <algorithm>
#include <iterator>

namespace heddle::scan {

const SymbolicValue* find_store(const StoreMap& stores, Lvalue at) {
  const auto known = std::ranges::lower_bound(stores, at, {}, &StoreMap::value_type::first);
  return known != stores.end() && known->first == at ? &known->second : nullptr;
}

KnownStores::KnownStores(const ScanInput& input, const std::vector<FunctionSummary>& summaries,
                         const FunctionBody& body, ValueNames& names, const Publication& publication)
    : in_(input),
      body_(body),
      names_(names),
      publication_(publication),
      local_writes_(input, summaries, body),
      at_exit_(body.block_count()) {}

/// Whether nobody else can have stored anything there by now.
bool KnownStores::is_trusted(NodeId node) const { return in_.assumptions.stable_paths || publication_.is_own(node); }

const SymbolicValue* KnownStores::find(Lvalue at) const {
  const SymbolicValue* known = find_store(now_, at);
  return known != nullptr && is_trusted(at.node) ? known : nullptr;
}

void KnownStores::enter_block(std::uint32_t rank) {
  const BlockId block = body_.cfg.order[rank];
  now_.clear();
  bool is_first = true;
  for (const BlockId from : body_.cfg.predecessors[block.index()]) {
    const std::uint32_t before = body_.cfg.rank[from.index()];
    if (before >= rank) continue;  // around a loop; see below
    if (is_first)
      now_ = at_exit_[before];
    else
      keep_common(now_, at_exit_[before]);
    is_first = false;
  }
  if (!body_.cfg.is_loop_head[block.index()]) return;
  std::erase_if(now_, [&](const auto& entry) {
    const Node& node = names_.nodes()[entry.first.node];
    return node.kind != NodeKind::Local || local_writes_.is_written_from(rank, node.index, entry.first.offset);
  });
}

void KnownStores::keep_common(StoreMap& stores, const StoreMap& others) {
  std::erase_if(stores, [&](auto& entry) {
    const SymbolicValue* other = find_store(others, entry.first);
    if (other == nullptr) return true;
    // Null leads nowhere: it is the other one that matters.
    if (entry.second.leads_nowhere() && other->is_address()) entry.second = *other;
    return !(*other == entry.second) && !(other->leads_nowhere() && entry.second.is_address());
  });
}

void KnownStores::leave_block(std::uint32_t rank) {
  at_exit_[rank] = std::move(now_);
  now_.clear();
}

SymbolicValue KnownStores::load(Lvalue from, TypeId type) {
  if (const SymbolicValue* known = find(from)) return *known;
  const Node& node = names_.nodes()[from.node];
  if (node.kind == NodeKind::Local) return {};
  if (node.kind == NodeKind::Global) {
    // Constant tables say what they hold.
    const Global& global = in_.program.globals[GlobalId(node.index)];
    if (global.is_constant)
      for (const Relocation& word : global.relocations)
        if (static_cast<std::int64_t>(word.offset) == from.offset && word.addend == 0 && word.target.is_function())
          return SymbolicValue::function(word.target.as_function());
  }
  if (!type) type = names_.pointee_at(from);
  const NodeId target = names_.nodes().target(from, type);
  return target ? SymbolicValue::at({target, 0}) : SymbolicValue{};
}

void KnownStores::store(Lvalue to, const SymbolicValue& value) {
  const NodeTable& nodes = names_.nodes();
  // Another name for the same member may mean the same memory.
  if (nodes[to.node].kind != NodeKind::Local)
    std::erase_if(now_, [&](const auto& entry) {
      return entry.first.node != to.node && entry.first.offset == to.offset &&
             nodes[entry.first.node].kind != NodeKind::Local;
    });
  const auto at = std::ranges::lower_bound(now_, to, {}, &StoreMap::value_type::first);
  if (at != now_.end() && at->first == to)
    at->second = value;
  else if (now_.size() < in_.limits.stores)
    now_.insert(at, {to, value});
}

void KnownStores::forget(NodeId node, const ByteRange& bytes) {
  const std::uint32_t pointer = in_.word_bytes();
  std::erase_if(now_, [&](const auto& entry) {
    return entry.first.node == node && bytes.overlaps(ByteRange::at(entry.first.offset, pointer));
  });
}

bool KnownStores::knows_any_of(NodeId node) const {
  return std::ranges::any_of(now_, [&](const auto& entry) { return entry.first.node == node; });
}

}  // namespace heddle::scan
