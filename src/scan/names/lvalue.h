// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symbolic lvalues: memory, named in the terms of one function's entry (RELAY §3.1). A node is a piece of memory, an
// lvalue a byte in it.
//
//   void f(struct dev *d) { d->priv->lock … }     node Formal 0; node Target(Formal 0, offset of priv);
//                                                 lvalue (that, offset of lock)
//
// Nodes are interned: equal names are one row. A name means the memory it leads to at the moment it is used; that two
// uses of `d->priv` on one path mean the same object is the assumption `stable-paths`. `Value` nodes name what an SSA
// value points to when nothing better is known (a phi, a load from a local): within one round of a loop that is one
// object, so `lock(&p->m); p->x = 1;` is understood whatever `p` is.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "base/hash_slots.h"
#include "base/id.h"
#include "program/model/program.h"

namespace heddle::scan {

struct Node;
using NodeId = Id<Node>;

enum class NodeKind : std::uint8_t {
  Formal,   ///< what parameter `index` points to
  Global,   ///< `index` is the GlobalId
  Target,   ///< what the pointer stored at (parent, offset) leads to
  Element,  ///< one element of the array at (parent, offset): which one, `index` tells
  Local,    ///< the alloca that defines value `index`
  Fresh,    ///< memory that instruction `index` of `function` allocated, itself or in its callee
  Value,    ///< what value `index` of `function` points to
  Hidden,   ///< state inside a library, named by `index`: a hash of its name
};

struct Node {
  /// An Element that a callee chose: callers cannot tell which one. What it locks and what it touches count as one
  /// element (assumption `one-element`).
  static constexpr std::uint32_t some_element = 0x80000000U;

  NodeKind kind = NodeKind::Value;
  std::uint8_t depth = 0;    ///< pointers followed
  bool from_formal = false;  ///< its root is a parameter: it means something else at every call
  bool is_published =
      false;  ///< Fresh in a summary: other threads may know it when the call returns; not part of the name
  std::uint32_t index = 0;   ///< see NodeKind; Element: a name of the index, equal for equal indices
  FunctionId function = {};  ///< Fresh, Value: whose instruction or value
  NodeId parent = {};        ///< Target, Element
  std::int32_t offset = 0;   ///< Target, Element
  std::int32_t stride = 0;   ///< Element: bytes from one to the next
  TypeId type = {};          ///< source type of what lies there, none if not known; not part of the name
  /// The struct that it is a part of, as far as the source says so by going back to it (container_of), and where that
  /// begins: at `whole_offset`, not behind 0. None: nothing was said, or several things. Not part of the name.
  TypeId whole = {};
  std::int32_t whole_offset = 0;
};

/// Some object of a type, nobody knows which: a Value of no function. `index` is a hash of the type's name.
[[nodiscard]] inline bool is_some_object(const Node& node) { return node.kind == NodeKind::Value && !node.function; }

/// How far a byte of an Element lies in what the array is a part of. A pointer that was moved by a variable distance
/// stays in its array (assumption `pointer-arithmetic`), so beyond one step it says nothing.
[[nodiscard]] inline std::int64_t offset_in_parent(const Node& element, std::int64_t offset, bool stays_in_array) {
  if (stays_in_array && element.stride > 0) offset = (offset % element.stride + element.stride) % element.stride;
  return element.offset + offset;
}

/// The index of the Hidden node for a library's state of this name.
[[nodiscard]] std::uint32_t hidden_index(std::string_view name);

struct Lvalue {
  NodeId node;
  std::int32_t offset = 0;
  [[nodiscard]] bool valid() const { return node.valid(); }
  friend auto operator<=>(const Lvalue&, const Lvalue&) = default;
};

struct LvalueHash {
  std::size_t operator()(const Lvalue& l) const {
    return (static_cast<std::size_t>(l.node.index()) << 32 | static_cast<std::uint32_t>(l.offset)) *
               0x9e3779b97f4a7c15ULL >>
           7;
  }
};

/// Whether `ancestor` is on the way from the root to `id`, itself included.
[[nodiscard]] bool is_below(std::span<const Node> nodes, NodeId id, NodeId ancestor);

/// Whether the name says which object it lies in, so that another such name means another object: no pointer was
/// followed from a variable, a local, new memory or the state of a library.
[[nodiscard]] bool names_one_object(std::span<const Node> nodes, NodeId id);

class NodeTable {
 public:
  static constexpr std::uint8_t deepest = 4;

  NodeId intern(Node node);
  NodeId formal(std::uint32_t index, TypeId type) {
    return intern({.kind = NodeKind::Formal, .from_formal = true, .index = index, .type = type});
  }
  NodeId global(GlobalId id, TypeId type) {
    return intern({.kind = NodeKind::Global, .index = id.index(), .type = type});
  }
  NodeId element(Lvalue array, std::int32_t stride, std::uint32_t symbol);
  /// None beyond the deepest path.
  NodeId target(Lvalue pointer, TypeId type);

  [[nodiscard]] const Node& operator[](NodeId id) const { return nodes_[id.index()]; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] std::span<const Node> all() const { return nodes_; }
  [[nodiscard]] NodeId root(NodeId id) const;
  [[nodiscard]] bool is_below(NodeId id, NodeId ancestor) const { return scan::is_below(nodes_, id, ancestor); }
  /// The type of a node whose name did not tell.
  void learn_type(NodeId id, TypeId type) {
    if (!nodes_[id.index()].type) nodes_[id.index()].type = type;
  }
  void learn_whole(NodeId id, TypeId type, std::int32_t offset);
  void clear();

 private:
  std::vector<Node> nodes_;
  HashSlots slots_;  ///< nodes by name
};

}  // namespace heddle::scan
