// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "flow/map_store.h"

namespace heddle::flow {

namespace {

constexpr std::size_t first_slots = 1 << 10;

}  // namespace

MapStore::MapStore() : unique_(first_slots) { nodes_.emplace_back(); }

std::size_t MapStore::slot_of(const NodeKey& key) const {
  std::uint64_t h = (std::uint64_t{key.prefix} << 32 | key.branch) * 0x9e3779b97f4a7c15ULL;
  h ^= (std::uint64_t{key.left} << 32 | key.right) + (h >> 29);
  h *= 0xbf58476d1ce4e5b9ULL;
  const std::size_t mask = unique_.size() - 1;
  std::size_t slot = static_cast<std::size_t>(h ^ (h >> 32)) & mask;
  while (unique_[slot] != 0) {
    const Node& node = nodes_[unique_[slot]];
    if (NodeKey{node.prefix, node.branch, node.left, node.right} == key) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

void MapStore::grow() {
  unique_.assign(unique_.size() * 2, 0);
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    unique_[slot_of({node.prefix, node.branch, node.left, node.right})] = static_cast<MapId>(i);
  }
}

MapId MapStore::intern(const NodeKey& key) {
  ++work_;
  std::size_t slot = slot_of(key);
  if (unique_[slot] != 0) return unique_[slot];
  const auto id = static_cast<MapId>(nodes_.size());
  const std::uint32_t size = key.branch == 0 ? 1 : nodes_[key.left].size + nodes_[key.right].size;
  nodes_.push_back({key.prefix, key.branch, key.left, key.right, size});
  unique_[slot] = id;
  if (nodes_.size() * 2 > unique_.size()) grow();
  return id;
}

MapId MapStore::branch(Key prefix, Key bit, MapId left, MapId right) {
  if (left == 0) return right;
  if (right == 0) return left;
  return intern({prefix, bit, left, right});
}

MapId MapStore::join(MapId a, MapId b) {
  const Key pa = nodes_[a].prefix;
  const Key pb = nodes_[b].prefix;
  const Key bit = std::bit_floor(pa ^ pb);
  const Key prefix = pa & ~(bit | (bit - 1));
  return (pa & bit) != 0 ? branch(prefix, bit, b, a) : branch(prefix, bit, a, b);
}

std::optional<MapStore::Mapped> MapStore::find(MapId map, Key key) const {
  while (map != 0) {
    const Node& node = nodes_[map];
    if (node.is_leaf()) return node.prefix == key ? std::optional(node.left) : std::nullopt;
    if (!matches(node, key)) return std::nullopt;
    map = goes_right(node, key) ? node.right : node.left;
  }
  return std::nullopt;
}

MapId MapStore::set(MapId map, Key key, Mapped value) {
  if (map == 0) return leaf(key, value);
  const Node node = nodes_[map];
  if (node.is_leaf()) return node.prefix == key ? leaf(key, value) : join(leaf(key, value), map);
  if (!matches(node, key)) return join(leaf(key, value), map);
  if (goes_right(node, key)) return branch(node.prefix, node.branch, node.left, set(node.right, key, value));
  return branch(node.prefix, node.branch, set(node.left, key, value), node.right);
}

MapId MapStore::erase(MapId map, Key key) {
  if (map == 0) return 0;
  const Node node = nodes_[map];
  if (node.is_leaf()) return node.prefix == key ? 0 : map;
  if (!matches(node, key)) return map;
  if (goes_right(node, key)) return branch(node.prefix, node.branch, node.left, erase(node.right, key));
  return branch(node.prefix, node.branch, erase(node.left, key), node.right);
}

}  // namespace heddle::flow
