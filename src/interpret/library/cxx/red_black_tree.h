// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The balancing of std::map and std::set, which inline code of the program leaves to the shared library. The nodes are
// memory of the program, so every link that is read or written is an access of the calling thread.
#pragma once
#include "interpret/core/native_call.h"

namespace heddle::interpret {

inline constexpr std::uint32_t most_reads = 10'000'000;  ///< racing threads can make a ring of what has to end

/// A red-black tree as libstdc++ lays it out: color, parent, left, right. The header's parent is the root, its left and
/// right are the first and the last node; its color is red, which tells it from the root.
class Tree {
 public:
  explicit Tree(NativeCall& call) : core_(call.core), word_(call.core.image.pointer_bytes) {}
  enum Field : std::uint32_t { color = 0, parent = 1, left = 2, right = 3 };
  static constexpr std::uint64_t red = 0, black = 1;

  Address get(Address node, Field field) {
    if (++reads_ > most_reads)
      core_.account.end_run(OutcomeKind::CapReached, "a tree of the C++ library that does not end");
    return core_.space.read_pointer(core_.space.pointer_at(node + field * word_)).bits;
  }
  void set(Address node, Field field, Address to) {
    core_.space.write_pointer(core_.space.pointer_at(node + field * word_), core_.space.pointer_at(to));
  }
  std::uint64_t color_of(Address node) {
    return node == 0 ? black : core_.space.read_word(core_.space.pointer_at(node), 4);
  }
  void paint(Address node, std::uint64_t value) { core_.space.write_word(core_.space.pointer_at(node), 4, value); }

  /// The outermost node on one side below `node`.
  Address last(Address node, Field side) {
    for (Address next = get(node, side); next != 0; next = get(node, side)) node = next;
    return node;
  }

  /// The neighbour in order: `side` right is the next one.
  Address neighbour(Address node, Field side) {
    const Field back = side == right ? left : right;
    if (color_of(node) == red && get(get(node, parent), parent) == node && side == left) return get(node, right);
    if (const Address below = get(node, side); below != 0) return last(below, back);
    Address up = get(node, parent);
    while (node == get(up, side)) {
      node = up;
      up = get(up, parent);
    }
    // With only a root the walk ends at the header with `node` being the header already.
    return get(node, side) == up && side == right ? node : up;
  }

  /// `to` takes the place of `node` below its parent.
  void relink(Address node, Address to, Address header) {
    const Address up = get(node, parent);
    if (up == header && get(header, parent) == node)
      set(header, parent, to);
    else
      set(up, get(up, left) == node ? left : right, to);
    if (to != 0) set(to, parent, up);
  }

  /// The child on the other side of `side` rises above `node`.
  void rotate(Address node, Field side, Address header) {
    const Field other = side == left ? right : left;
    const Address child = get(node, other);
    relink(node, child, header);
    const Address inner = get(child, side);
    set(node, other, inner);
    if (inner != 0) set(inner, parent, node);
    set(child, side, node);
    set(node, parent, child);
  }

  void insert(bool to_left, Address node, Address up, Address header) {
    set(node, parent, up);
    set(node, left, 0);
    set(node, right, 0);
    paint(node, red);
    set(up, to_left ? left : right, node);
    if (up == header) {
      set(header, parent, node);
      set(header, left, node);
      set(header, right, node);
    } else if (to_left && get(header, left) == up) {
      set(header, left, node);
    } else if (!to_left && get(header, right) == up) {
      set(header, right, node);
    }
    repair_insert(node, header);
  }

  Address erase(Address node, Address header) {
    if (get(header, left) == node)
      set(header, left, get(node, right) != 0 ? last(get(node, right), left) : get(node, parent));
    if (get(header, right) == node)
      set(header, right, get(node, left) != 0 ? last(get(node, left), right) : get(node, parent));
    std::uint64_t lost = color_of(node);
    Address filler = 0, up = 0;
    if (get(node, left) == 0 || get(node, right) == 0) {
      filler = get(node, left) != 0 ? get(node, left) : get(node, right);
      up = get(node, parent);
      relink(node, filler, header);
    } else {
      const Address next = last(get(node, right), left);
      lost = color_of(next);
      filler = get(next, right);
      up = get(next, parent);
      if (up == node) {
        up = next;
      } else {
        relink(next, filler, header);
        set(next, right, get(node, right));
        set(get(node, right), parent, next);
      }
      relink(node, next, header);
      set(next, left, get(node, left));
      set(get(node, left), parent, next);
      paint(next, color_of(node));
    }
    if (lost == black) repair_erase(filler, up, header);
    return node;
  }

 private:
  void repair_insert(Address node, Address header) {
    while (node != get(header, parent) && color_of(get(node, parent)) == red) {
      const Address up = get(node, parent), top = get(up, parent);
      const Field side = get(top, left) == up ? left : right, other = side == left ? right : left;
      const Address uncle = get(top, other);
      if (color_of(uncle) == red) {
        paint(up, black);
        paint(uncle, black);
        paint(top, red);
        node = top;
        continue;
      }
      if (get(up, other) == node) {
        node = up;
        rotate(node, side, header);
      }
      paint(get(node, parent), black);
      paint(top, red);
      rotate(top, other, header);
    }
    paint(get(header, parent), black);
  }

  /// `node` (or the empty place below `up`) lacks one black node on its paths.
  void repair_erase(Address node, Address up, Address header) {
    while (node != get(header, parent) && color_of(node) == black) {
      const Field side = get(up, left) == node ? left : right, other = side == left ? right : left;
      Address sibling = get(up, other);
      if (color_of(sibling) == red) {
        paint(sibling, black);
        paint(up, red);
        rotate(up, side, header);
        sibling = get(up, other);
      }
      if (color_of(get(sibling, left)) == black && color_of(get(sibling, right)) == black) {
        paint(sibling, red);
        node = up;
        up = get(up, parent);
        continue;
      }
      if (color_of(get(sibling, other)) == black) {
        paint(get(sibling, side), black);
        paint(sibling, red);
        rotate(sibling, other, header);
        sibling = get(up, other);
      }
      paint(sibling, color_of(up));
      paint(up, black);
      paint(get(sibling, other), black);
      rotate(up, side, header);
      node = get(header, parent);
      break;
    }
    if (node != 0) paint(node, black);
  }

  Core& core_;
  std::uint32_t word_;
  std::uint32_t reads_ = 0;
};

}  // namespace heddle::interpret
