// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What std::map, std::set, std::list and the hash tables keep in the shared library: balancing of trees, links of
// lists, bucket counts. The nodes are memory of the program, so every link that is read or written is an access of the
// calling thread.
#include <bits/hash_bytes.h>

#include <unordered_map>

#include "interpret/library/natives.h"

namespace heddle::interpret {
namespace {

using Call = NativeCall;
constexpr std::uint32_t most_reads = 10'000'000;  ///< racing threads can make a ring of what has to end

/// A red-black tree as libstdc++ lays it out: color, parent, left, right. The header's parent is the root, its left and
/// right are the first and the last node; its color is red, which tells it from the root.
class Tree {
 public:
  explicit Tree(Call& call) : core_(call.core), word_(call.core.image.pointer_bytes) {}
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

void next_node(Call& c) { c.give_pointer(c.core.space.pointer_at(Tree(c).neighbour(c.word(0), Tree::right))); }
void previous_node(Call& c) { c.give_pointer(c.core.space.pointer_at(Tree(c).neighbour(c.word(0), Tree::left))); }

/// A doubly linked list: next, previous.
class Links {
 public:
  explicit Links(Call& call) : core_(call.core), word_(call.core.image.pointer_bytes) {}
  Address next(Address node) {
    if (++reads_ > most_reads)
      core_.account.end_run(OutcomeKind::CapReached, "a list of the C++ library that does not end");
    return core_.space.read_pointer(core_.space.pointer_at(node)).bits;
  }
  Address previous(Address node) { return core_.space.read_pointer(core_.space.pointer_at(node + word_)).bits; }
  void set_next(Address node, Address to) {
    core_.space.write_pointer(core_.space.pointer_at(node), core_.space.pointer_at(to));
  }
  void set_previous(Address node, Address to) {
    core_.space.write_pointer(core_.space.pointer_at(node + word_), core_.space.pointer_at(to));
  }
  void join(Address before, Address after) {
    set_next(before, after);
    set_previous(after, before);
  }

 private:
  Core& core_;
  std::uint32_t word_;
  std::uint32_t reads_ = 0;
};

void hook(Call& c) {  // (node, place)
  Links links(c);
  const Address node = c.word(0), place = c.word(1);
  links.join(links.previous(place), node);
  links.join(node, place);
}

void unhook(Call& c) {
  Links links(c);
  links.join(links.previous(c.word(0)), links.next(c.word(0)));
}

void transfer(Call& c) {  // (place, first, last): [first, last) goes before place
  Links links(c);
  const Address place = c.word(0), first = c.word(1), last = c.word(2);
  if (place == last || first == last) return;
  const Address end = links.previous(last);
  links.join(links.previous(first), last);
  links.join(links.previous(place), first);
  links.join(end, place);
}

void reverse(Call& c) {
  Links links(c);
  Address node = c.word(0);
  do {
    const Address next = links.next(node);
    links.set_next(node, links.previous(node));
    links.set_previous(node, next);
    node = next;
  } while (node != c.word(0));
}

void swap_lists(Call& c) {  // two headers
  Links links(c);
  const Address a = c.word(0), b = c.word(1);
  const Address a_first = links.next(a), a_last = links.previous(a), b_first = links.next(b),
                b_last = links.previous(b);
  const auto give = [&](Address to, Address from, Address first, Address last) {
    links.join(to, first == from ? to : first);
    links.join(last == from ? to : last, to);
  };
  give(a, b, b_first, b_last);
  give(b, a, a_first, a_last);
}

void hash_bytes(Call& c) {
  if (c.core.image.pointer_bytes != 8) c.core.account.unsupported("std::hash of a text with 32 bit pointers");
  c.give(std::_Hash_bytes(c.core.space.read_bytes(c.slot(0), c.word(1)), c.word(1), c.word(2)));
}

/// The policy of the hash tables, {float load, size_t next_resize}, through the host's own.
struct Policy {
  explicit Policy(Call& call) : call_(call), host(load(call)) {
    if (call.core.image.pointer_bytes != 8)
      call.core.account.unsupported("hash tables of the C++ library with 32 bit pointers");
    host._M_next_resize = call.core.space.read_word(resize_place(), 8);
  }
  void store() { call_.core.space.write_word(resize_place(), 8, host._M_next_resize); }

 private:
  [[nodiscard]] Slot resize_place() const { return {call_.slot(0).bits + 8, 0, call_.slot(0).object, 0}; }
  static float load(Call& call) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(call.core.space.read_word(call.slot(0), 4)));
  }
  Call& call_;

 public:
  std::__detail::_Prime_rehash_policy host;
};

void next_bucket_count(Call& c) {
  Policy policy(c);
  c.give(policy.host._M_next_bkt(c.word(1)));
  policy.store();
}

void need_rehash(Call& c) {
  Policy policy(c);
  const auto [is_needed, count] = policy.host._M_need_rehash(c.word(1), c.word(2), c.word(3));
  policy.store();
  c.result = {is_needed ? 1ULL : 0ULL, 0, 0, 0};
  c.second = {count, 0, 0, 0};
}

constexpr NativeEntry table[] = {
    {"_ZSt18_Rb_tree_incrementP*", next_node},
    {"_ZSt18_Rb_tree_decrementP*", previous_node},
    {"_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_",
     [](Call& c) { Tree(c).insert((c.word(0) & 1) != 0, c.word(1), c.word(2), c.word(3)); }},
    {"_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_",
     [](Call& c) { c.give_pointer(c.core.space.pointer_at(Tree(c).erase(c.word(0), c.word(1)))); }},
    {"_ZNSt8__detail15_List_node_base7_M_hookEPS0_", hook},
    {"_ZNSt8__detail15_List_node_base9_M_unhookEv", unhook},
    {"_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_", transfer},
    {"_ZNSt8__detail15_List_node_base10_M_reverseEv", reverse},
    {"_ZNSt8__detail15_List_node_base4swapERS0_S1_", swap_lists},
    {"_ZSt11_Hash_bytesPKvmm", hash_bytes},
    {"_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm", next_bucket_count},
    {"_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm", need_rehash},
};

}  // namespace

std::span<const NativeEntry> cxx_container_natives() { return table; }

}  // namespace heddle::interpret
