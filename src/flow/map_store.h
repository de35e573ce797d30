// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MapStore: immutable maps from 32-bit keys to 32-bit values, as hash-consed big-endian Patricia trees.
//
// An abstract state is a handful of such maps. Two facts make the fixpoint cheap: equal maps have equal ids (comparing
// two states is comparing a few integers), and a merge skips every subtree the two sides share (the cost of a join is
// the size of the difference). Iteration is in key order, so everything derived from it is deterministic.
//
//   MapId m = store.set(store.empty(), 7, 1);     m2 = store.set(m, 7, 1);     m == m2
//
// Nodes live as long as the store; `bytes()` lets the driver keep a budget. Okasaki and Gill, "Fast mergeable integer
// maps" (1998) is the structure.
#pragma once
#include <bit>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "base/hash_slots.h"

namespace heddle::flow {

using MapId = std::uint32_t;  ///< 0 is the empty map

class MapStore {
 public:
  using Key = std::uint32_t;
  using Mapped = std::uint32_t;

  MapStore();

  static constexpr MapId empty() { return 0; }
  [[nodiscard]] std::optional<Mapped> find(MapId map, Key key) const;
  [[nodiscard]] bool contains(MapId map, Key key) const { return find(map, key).has_value(); }
  MapId set(MapId map, Key key, Mapped value);
  MapId erase(MapId map, Key key);
  [[nodiscard]] std::size_t size(MapId map) const { return map == 0 ? 0 : nodes_[map].size; }
  /// Nodes asked for so far, also those that were there already: what the maps cost.
  [[nodiscard]] std::uint64_t work() const { return work_; }
  /// Whoever walks over large maps with each step says so: it counts as much as making so many nodes.
  void add_work(std::uint64_t nodes) { work_ += nodes; }
  [[nodiscard]] std::size_t bytes() const { return nodes_.size() * sizeof(Node) + unique_.bytes(); }

  /// Calls `visit(key, value)` in key order.
  template <class F>
  void for_each(MapId map, F&& visit) const {
    if (map == 0) return;
    const Node node = nodes_[map];
    if (node.is_leaf()) {
      visit(node.prefix, node.left);
      return;
    }
    for_each(node.left, visit);
    for_each(node.right, visit);
  }

  /// Calls `visit(key, optional a, optional b)` for every key whose values differ, in key order.
  template <class F>
  void for_each_difference(MapId a, MapId b, F&& visit) const {
    if (a == b) return;
    if (a == 0) return for_each(b, [&](Key k, Mapped v) { visit(k, std::nullopt, std::optional<Mapped>(v)); });
    if (b == 0) return for_each(a, [&](Key k, Mapped v) { visit(k, std::optional<Mapped>(v), std::nullopt); });
    const Node na = nodes_[a];
    const Node nb = nodes_[b];
    if (na.is_leaf() && nb.is_leaf() && na.prefix == nb.prefix)
      return visit(na.prefix, std::optional(na.left), std::optional(nb.left));
    if (!na.is_leaf() && !nb.is_leaf() && na.branch == nb.branch && na.prefix == nb.prefix) {
      for_each_difference(na.left, nb.left, visit);
      for_each_difference(na.right, nb.right, visit);
    } else if (contains_prefix(na, nb)) {
      const bool right = goes_right(na, nb.prefix);
      for_each_difference(na.left, right ? 0 : b, visit);
      for_each_difference(na.right, right ? b : 0, visit);
    } else if (contains_prefix(nb, na)) {
      const bool right = goes_right(nb, na.prefix);
      for_each_difference(right ? 0 : a, nb.left, visit);
      for_each_difference(right ? a : 0, nb.right, visit);
    } else if (na.prefix < nb.prefix) {
      for_each_difference(a, 0, visit);
      for_each_difference(0, b, visit);
    } else {
      for_each_difference(0, b, visit);
      for_each_difference(a, 0, visit);
    }
  }

  /// The entries for which `keep(key, value)`. Costs one visit an entry, and new nodes only where one goes.
  template <class F>
  MapId filter(MapId map, F&& keep) {
    return transform(map, [&](Key k, Mapped v) { return keep(k, v) ? std::optional<Mapped>(v) : std::nullopt; });
  }

  /// Each entry with the value that `value_for(key, value)` gives, or without it.
  template <class F>
  MapId transform(MapId map, F&& value_for) {
    if (map == 0) return 0;
    const Node node = nodes_[map];  // a copy: value_for may make nodes
    if (node.is_leaf()) {
      const std::optional<Mapped> value = value_for(node.prefix, node.left);
      return value == node.left ? map : leaf_of(node.prefix, value);
    }
    const MapId left = transform(node.left, value_for);
    return branch_of(map, left, transform(node.right, value_for));
  }

  /// A join in one walk: `combine(key, optional a, optional b)` gives the value, or nothing, for every key whose values
  /// differ, in key order. Parts that both share stay as they are; the rest is built on the way back.
  template <class F>
  MapId merge(MapId a, MapId b, F&& combine) {
    return merge_if(a, b, combine, KeepAll{});
  }
  /// The same, but an entry that both have goes through `combine` too unless `keep(key, value)`.
  template <class F, class K>
  MapId merge(MapId a, MapId b, F&& combine, K&& keep) {
    return merge_if(a, b, combine, keep);
  }

 private:
  struct Node {
    Key prefix = 0;          ///< leaf: the key
    Key branch = 0;          ///< the branching bit; 0 for a leaf
    std::uint32_t left = 0;  ///< leaf: the value
    std::uint32_t right = 0;
    std::uint32_t size = 1;
    [[nodiscard]] bool is_leaf() const { return branch == 0; }
  };
  struct NodeKey {
    Key prefix, branch;
    std::uint32_t left, right;
    friend bool operator==(const NodeKey&, const NodeKey&) = default;
  };

  static bool matches(const Node& node, Key key) { return (key & ~(node.branch | (node.branch - 1))) == node.prefix; }
  static bool goes_right(const Node& node, Key key) { return (key & node.branch) != 0; }
  static bool contains_prefix(const Node& outer, const Node& inner) {
    return !outer.is_leaf() && (inner.is_leaf() || inner.branch < outer.branch) && matches(outer, inner.prefix);
  }
  MapId leaf(Key key, Mapped value) { return intern({key, 0, value, 0}); }
  MapId leaf_of(Key key, std::optional<Mapped> value) { return value ? leaf(key, *value) : 0; }
  /// The branch `map` with other children.
  MapId branch_of(MapId map, MapId left, MapId right) {
    const Node node = nodes_[map];
    return left == node.left && right == node.right ? map : branch(node.prefix, node.branch, left, right);
  }

  struct KeepAll {};

  template <class F, class K>
  MapId merge_if(MapId a, MapId b, F& combine, K&& keep) {
    if (a == b) {
      if constexpr (std::is_same_v<std::remove_cvref_t<K>, KeepAll>)
        return a;
      else
        return transform(a, [&](Key k, Mapped v) { return keep(k, v) ? std::optional<Mapped>(v) : combine(k, v, v); });
    }
    if (a == 0)
      return transform(b, [&](Key k, Mapped v) { return combine(k, std::nullopt, std::optional<Mapped>(v)); });
    if (b == 0)
      return transform(a, [&](Key k, Mapped v) { return combine(k, std::optional<Mapped>(v), std::nullopt); });
    const Node na = nodes_[a];
    const Node nb = nodes_[b];
    if (na.is_leaf() && nb.is_leaf() && na.prefix == nb.prefix)
      return leaf_of(na.prefix, combine(na.prefix, std::optional(na.left), std::optional(nb.left)));
    if (!na.is_leaf() && !nb.is_leaf() && na.branch == nb.branch && na.prefix == nb.prefix) {
      const MapId left = merge_if(na.left, nb.left, combine, keep);
      return branch_of(a, left, merge_if(na.right, nb.right, combine, keep));
    }
    if (contains_prefix(na, nb)) {
      const bool right = goes_right(na, nb.prefix);
      const MapId left = merge_if(na.left, right ? 0 : b, combine, keep);
      return branch_of(a, left, merge_if(na.right, right ? b : 0, combine, keep));
    }
    if (contains_prefix(nb, na)) {
      const bool right = goes_right(nb, na.prefix);
      const MapId left = merge_if(right ? 0 : a, nb.left, combine, keep);
      return branch_of(b, left, merge_if(right ? a : 0, nb.right, combine, keep));
    }
    const bool a_first = na.prefix < nb.prefix;
    const MapId first = a_first ? merge_if(a, 0, combine, keep) : merge_if(0, b, combine, keep);
    const MapId second = a_first ? merge_if(0, b, combine, keep) : merge_if(a, 0, combine, keep);
    if (first == 0 || second == 0) return first == 0 ? second : first;
    return join(first, second);
  }

  /// A change that was made before is looked up: a fixpoint makes most of them many times.
  struct Change {
    MapId map = 0;
    Key key = 0;
    Mapped value = 0;
    MapId result = 0;  ///< 0: none
  };
  static constexpr std::size_t changes_remembered = 1U << 15U;
  MapId change(MapId map, Key key, Mapped value);

  MapId branch(Key prefix, Key bit, MapId left, MapId right);
  MapId join(MapId a, MapId b);  ///< two disjoint trees of different prefixes
  MapId intern(const NodeKey& key);

  std::vector<Node> nodes_;
  HashSlots unique_;             ///< all nodes by content
  std::vector<Change> changes_;  ///< by hash, the latest of each
  std::uint64_t work_ = 0;
};

}  // namespace heddle::flow
