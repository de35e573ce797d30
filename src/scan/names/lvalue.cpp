// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/names/lvalue.h"

#include <tuple>

#include "base/content_hash.h"

namespace heddle::scan {
namespace {

std::uint64_t hash_of(const Node& n) {
  const std::uint64_t root = static_cast<std::uint64_t>(n.kind) << 56 ^ static_cast<std::uint64_t>(n.index) << 20;
  const std::uint64_t place = static_cast<std::uint64_t>(n.parent.index()) << 32 | static_cast<std::uint32_t>(n.offset);
  return mixed(mixed(root ^ n.function.index(), place), static_cast<std::uint32_t>(n.stride));
}

bool is_same_name(const Node& a, const Node& b) {
  return std::tie(a.kind, a.index, a.function, a.parent, a.offset, a.stride) ==
         std::tie(b.kind, b.index, b.function, b.parent, b.offset, b.stride);
}

}  // namespace

std::uint32_t hidden_index(std::string_view name) {
  return static_cast<std::uint32_t>(Hasher().add(name).finish().low & 0x7fffffffU);
}

NodeId NodeTable::intern(Node node) {
  slots_.make_room(nodes_.size(), [&](std::uint32_t number) { return hash_of(nodes_[number - 1]); });
  std::uint32_t& slot =
      slots_.find(hash_of(node), [&](std::uint32_t number) { return is_same_name(nodes_[number - 1], node); });
  if (slot == 0) {
    nodes_.push_back(node);
    slot = static_cast<std::uint32_t>(nodes_.size());
  } else {
    learn_type(NodeId(slot - 1), node.type);
  }
  return NodeId(slot - 1);
}

NodeId NodeTable::element(Lvalue array, std::int32_t stride, std::uint32_t symbol) {
  const Node& parent = nodes_[array.node.index()];
  // An element of an element is an element: matrices, and loops over p++.
  if (parent.kind == NodeKind::Element && array.offset == 0)
    return intern({.kind = NodeKind::Element,
                   .depth = parent.depth,
                   .from_formal = parent.from_formal,
                   .index = symbol == Node::some_element ? symbol : (parent.index * 31 + symbol) & ~Node::some_element,
                   .parent = parent.parent,
                   .offset = parent.offset,
                   .stride = stride});
  return intern({.kind = NodeKind::Element,
                 .depth = parent.depth,
                 .from_formal = parent.from_formal,
                 .index = symbol,
                 .parent = array.node,
                 .offset = array.offset,
                 .stride = stride});
}

NodeId NodeTable::target(Lvalue pointer, TypeId type) {
  const Node& parent = nodes_[pointer.node.index()];
  if (parent.depth >= deepest) return {};
  // p->next->next: the third of a list has no name, or loops would make ever longer ones.
  if (parent.kind == NodeKind::Target && parent.offset == pointer.offset && parent.type == type &&
      nodes_[parent.parent.index()].type == type)
    return {};
  return intern({.kind = NodeKind::Target,
                 .depth = static_cast<std::uint8_t>(parent.depth + 1),
                 .from_formal = parent.from_formal,
                 .parent = pointer.node,
                 .offset = pointer.offset,
                 .type = type});
}

void NodeTable::learn_whole(NodeId id, TypeId type, std::int32_t offset) {
  constexpr std::int32_t contested = 1;
  Node& node = nodes_[id.index()];
  if (node.whole_offset == contested || (node.whole == type && node.whole_offset == offset)) return;
  const bool is_first = !node.whole;
  node.whole = is_first ? type : TypeId{};
  node.whole_offset = is_first ? offset : contested;
}

NodeId NodeTable::root(NodeId id) const {
  while (nodes_[id.index()].parent) id = nodes_[id.index()].parent;
  return id;
}

bool is_below(std::span<const Node> nodes, NodeId id, NodeId ancestor) {
  for (; id; id = nodes[id.index()].parent)
    if (id == ancestor) return true;
  return false;
}

bool names_one_object(std::span<const Node> nodes, NodeId id) {
  if (nodes[id.index()].depth != 0) return false;
  while (nodes[id.index()].parent) id = nodes[id.index()].parent;
  const NodeKind root = nodes[id.index()].kind;
  return root != NodeKind::Formal && root != NodeKind::Value;
}

void NodeTable::clear() {
  nodes_.clear();
  slots_.clear();
}

}  // namespace heddle::scan
