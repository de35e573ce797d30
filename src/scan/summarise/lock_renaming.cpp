// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/summarise/lock_renaming.h"

#include <algorithm>

#include "program/model/function_queries.h"

namespace heddle::scan {

LockRenaming::LockRenaming(const FunctionBody& body, ValueNames& names, const Execution& done)
    : body_(body), f_(body.function), names_(names), nodes_(names.nodes()) {
  if (!done.has_lock_events) return;
  find_named_phis();
  find_forgets(done);
}

void LockRenaming::find_named_phis() {
  phis_.assign(body_.block_count(), {});
  for (std::uint32_t rank = 0; rank < body_.block_count(); ++rank) {
    const Block& block = body_.block(rank);
    for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
      if (f_.instructions[i].opcode != Opcode::Phi) break;
      const SymbolicValue& value = names_.value_of(f_.result_of(i));
      if (value.is_address() && nodes_[value.address.node].kind == NodeKind::Value &&
          nodes_[value.address.node].index == f_.result_of(i).index())
        phis_[rank].push_back(i);
    }
  }
}

/// Of a phi, the name changes on the way to its block: see cross().
void LockRenaming::find_forgets(const Execution& done) {
  forgets_.assign(body_.block_count(), {});
  const auto note = [&](NodeId node, std::uint32_t value) {
    if (value < f_.parameters.size() || value >= f_.value_count()) return;
    if (f_.instructions[f_.definition(ValueId(value))].opcode == Opcode::Phi) return;
    const std::uint32_t rank = body_.cfg.rank[block_of(f_, f_.definition(ValueId(value))).index()];
    if (rank != flow::Cfg::none_rank && std::ranges::find(forgets_[rank], node) == forgets_[rank].end())
      forgets_[rank].push_back(node);
  };
  const auto note_lock = [&](Lvalue lock) {
    for (NodeId node = lock.node; node; node = nodes_[node].parent) {
      const Node& n = nodes_[node];
      if (n.kind == NodeKind::Value && n.function) note(node, n.index);
      if (n.kind == NodeKind::Element && n.index != 0 && n.index != Node::some_element) note(node, n.index - 1);
    }
  };
  for (const SymbolicEvent& event : done.events) {
    if (event.kind == SymbolicEvent::Kind::Acquire) note_lock(event.where);
    if (event.kind != SymbolicEvent::Kind::Call) continue;
    for (const Lvalue name : done.calls[event.call].names)
      if (name.valid()) note_lock(name);
  }
}

void LockRenaming::drop_other_names(RelativeLockset& held, Lvalue released) const {
  for (const auto& [first, second] : one_lock_) {
    const Lvalue other = first == released ? second : second == released ? first : Lvalue{};
    if (other.valid()) held.forget_if([&](Lvalue lock) { return lock == other; });
  }
}

bool LockRenaming::is_forgotten_in(std::uint32_t rank, Lvalue name) const {
  return std::ranges::any_of(forgets_[rank], [&](NodeId node) { return nodes_.is_below(name.node, node); });
}

bool LockRenaming::is_forgotten_on_way_to(std::uint32_t rank, Lvalue name) const {
  return std::ranges::any_of(phis_[rank], [&](std::uint32_t phi) { return nodes_.is_below(name.node, node_of(phi)); });
}

bool LockRenaming::enter(std::uint32_t rank, RelativeLockset& held) const {
  const std::size_t before = held.acquired.size();
  held.forget_if([&](Lvalue lock) { return is_forgotten_in(rank, lock); });
  return held.acquired.size() != before;
}

void LockRenaming::cross(std::uint32_t from, std::uint32_t to, RelativeLockset& held) {
  std::vector<HeldLock> renamed;
  for (const std::uint32_t phi : phis_[to]) rename(phi, from, held, renamed);
  held.forget_if([&](Lvalue lock) { return is_forgotten_on_way_to(to, lock); });
  for (const HeldLock& h : renamed)
    if (held.find(h.lock) == nullptr) held.acquire(h.lock, h.mode, h.count);
}

/// The locks that are held of what goes into a phi on this way, by the name of the phi.
void LockRenaming::rename(std::uint32_t phi, std::uint32_t from, const RelativeLockset& held,
                          std::vector<HeldLock>& renamed) {
  const auto operands = f_.operands_of(f_.instructions[phi]);
  for (std::size_t k = 0; k + 1 < operands.size(); k += 2) {
    if (body_.cfg.rank[operands[k + 1].index()] != from) continue;
    const SymbolicValue value = names_.value_of(operands[k]);
    if (!value.is_address()) return;
    for (const HeldLock& h : held.acquired) {
      if (h.lock.node != value.address.node) continue;
      renamed.push_back({{node_of(phi), h.lock.offset - value.address.offset}, h.mode, h.count});
      const std::pair names(h.lock, renamed.back().lock);
      if (std::ranges::find(one_lock_, names) == one_lock_.end()) one_lock_.push_back(names);
    }
    return;
  }
}

}  // namespace heddle::scan
