// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "flow/map_store.h"

namespace heddle::flow {

MapStore::MapStore() { nodes_.emplace_back(); }

MapId MapStore::intern(const NodeKey& key) {
  ++work_;
  const auto key_of = [&](MapId id) {
    const Node& node = nodes_[id];
    return NodeKey{node.prefix, node.branch, node.left, node.right};
  };
  const auto hash = [](const NodeKey& k) {
    return mixed(mixed(0, std::uint64_t{k.prefix} << 32 | k.branch), std::uint64_t{k.left} << 32 | k.right);
  };
  unique_.make_room(nodes_.size() - 1, [&](MapId id) { return hash(key_of(id)); });
  MapId& id = unique_.find(hash(key), [&](MapId other) { return key_of(other) == key; });
  if (id != 0) return id;
  id = static_cast<MapId>(nodes_.size());
  const std::uint32_t size = key.branch == 0 ? 1 : nodes_[key.left].size + nodes_[key.right].size;
  nodes_.push_back({key.prefix, key.branch, key.left, key.right, size});
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
  if (changes_.empty()) changes_.resize(changes_remembered);
  const std::uint64_t hash = mixed(mixed(map, key), value);
  Change& known = changes_[(hash >> 32U) % changes_remembered];
  if (known.result == 0 || known.map != map || known.key != key || known.value != value)
    known = {map, key, value, change(map, key, value)};
  return known.result;
}

MapId MapStore::change(MapId map, Key key, Mapped value) {
  if (map == 0) return leaf(key, value);
  const Node node = nodes_[map];
  if (node.is_leaf() && node.prefix == key) return node.left == value ? map : leaf(key, value);
  if (node.is_leaf() || !matches(node, key)) return join(leaf(key, value), map);
  if (goes_right(node, key)) {
    const MapId right = change(node.right, key, value);
    return right == node.right ? map : branch(node.prefix, node.branch, node.left, right);
  }
  const MapId left = change(node.left, key, value);
  return left == node.left ? map : branch(node.prefix, node.branch, left, node.right);
}

MapId MapStore::erase(MapId map, Key key) {
  if (map == 0) return 0;
  const Node node = nodes_[map];
  if (node.is_leaf()) return node.prefix == key ? 0 : map;
  if (!matches(node, key)) return map;
  if (goes_right(node, key)) {
    const MapId right = erase(node.right, key);
    return right == node.right ? map : branch(node.prefix, node.branch, node.left, right);
  }
  const MapId left = erase(node.left, key);
  return left == node.left ? map : branch(node.prefix, node.branch, left, node.right);
}

}  // namespace heddle::flow
