// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What std::map, std::set, std::list and the hash tables keep in the shared library: balancing of trees, links of
// lists, bucket counts. The nodes are memory of the program, so every link that is read or written is an access of the
// calling thread.
#include <bits/hash_bytes.h>

#include <unordered_map>

#include "interpret/library/cxx/red_black_tree.h"
#include "interpret/library/natives.h"

namespace heddle::interpret {
namespace {

using Call = NativeCall;

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

constexpr NativeEntry cxx_container_table[] = {
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

std::span<const NativeEntry> cxx_container_natives() { return cxx_container_table; }

}  // namespace heddle::interpret
