// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/execute/symbolic_state.h"

#include <algorithm>

namespace heddle::scan {

void SymbolicState::add_access(Lvalue where, MemberKey key, AccessKind kind, bool is_atomic, std::uint64_t size,
                               std::size_t address) {
  const Node& root = nodes[nodes.root(where.node)];
  if (root.kind == NodeKind::Global && nodes[where.node].depth == 0) {
    const Global& global = in.program.globals[GlobalId(root.index)];
    const bool is_own = global.is_thread_local && !in.pointed_to[root.index];
    if (is_own || (global.is_constant && kind == AccessKind::Read)) return;
  }
  constexpr std::uint64_t largest = 1 << 30;
  SymbolicEvent& event = done.add(SymbolicEvent::Kind::Access);
  event.access = kind;
  event.is_atomic = is_atomic;
  event.size = static_cast<std::uint32_t>(std::min(size, largest));
  event.where = where;
  event.key = key;
  event.address = static_cast<std::uint8_t>(std::min<std::size_t>(address, OwnAccess::no_operand));
}

void SymbolicState::end_locals() {
  if (in.assumptions.local_ends) return;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const Node node = nodes[NodeId(i)];
    if (node.kind != NodeKind::Local) continue;
    // What a call returned may have the name of a local as well.
    const bool is_memory =
        node.index < f.parameters.size() || f.instructions[f.definition(ValueId(node.index))].opcode == Opcode::Alloca;
    if (is_memory) add_access({NodeId(i), 0}, {}, AccessKind::Free, false, 0);
  }
}

void SymbolicState::overwrite_others(Lvalue to) {
  const Node& root = nodes[nodes.root(to.node)];
  if (root.kind != NodeKind::Value && nodes[to.node].depth == 0) return;
  const std::vector<Lvalue> meanings = names.meanings(to);
  const auto note = [&](NodeId node) {
    const NodeId owner = done.publication.owner(node);
    if (owner && nodes[owner].kind == NodeKind::Formal && nodes[owner].index < 64)
      done.overwriting |= std::uint64_t{1} << nodes[owner].index;
  };
  const auto word = static_cast<std::uint32_t>(in.word_bytes());
  for (const Lvalue& one : meanings) {
    note(one.node);
    stores.forget(one.node, ByteRange::at(one.offset, word));
  }
  if (meanings.empty()) stores.forget_if([&](NodeId node) { return done.publication.is_exposed(node); });
}

NodeId SymbolicState::fresh_memory(std::int32_t ordinal, TypeId type) {
  const NodeId node = nodes.intern(
      {.kind = NodeKind::Fresh, .index = done.at.instruction, .function = body.id, .stride = ordinal, .type = type});
  done.publication.note_made(node);
  return node;
}

}  // namespace heddle::scan
