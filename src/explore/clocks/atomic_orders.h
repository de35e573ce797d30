// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AtomicOrders: which atomic accesses and fences order what, by the memory orders written in the program (C11 5.1.2.4
// and 7.17.3, C++ [intro.races] and [atomics.fences]).
//
//   T1: x = 1; f.store(1, release)       T2: f.load(acquire) reads 1; x = 2       ordered
//   T1: x = 1; f.store(1, relaxed)       T2: f.load(acquire) reads 1; x = 2       not ordered: the store gives nothing
//   T1: x = 1; fence(release); f.store(1, relaxed)      T2: the same              ordered: the fence gives it
//   T3 in between: f.fetch_add(1, relaxed)                                        the release sequence goes on
//   T3 in between: f.store(2, relaxed)                                            it ends
//
// The run is an interleaving, so a load reads the latest store, and what a load gets is what was released to its bytes
// so far. Editions of the standards disagree about one thing: a store of the thread that began a release sequence
// continues it in C11, C17, C++11 to C++17, and ends it in C++20. Whoever looks for a race takes the rule that orders
// more, whoever proves that there is none the rule that orders less (`is_strict`).
//
// memory_order_consume orders only what depends on the value. What a thread consumed is kept beside its clock; accesses
// that surely do not depend on it (Deed::depends) do not see it. Whatever the thread gives away includes it: the
// value given may be one that depends. `is_strict`: consuming orders nothing.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "explore/clocks/clock.h"
#include "explore/executor/deed.h"

namespace heddle::explore {

class AtomicOrders {
 public:
  explicit AtomicOrders(bool is_strict = false) : is_strict_(is_strict) {}

  /// The three change the clock of the deed's thread, which the caller keeps.
  void read(const Deed& deed, Clock& own);
  void write(const Deed& deed, const Clock& own);
  void fence(const Deed& deed, Clock& own);

  /// Everything that was ever released to these bytes, for those who look at no orders.
  void read_all(const Bytes& bytes, Clock& own) const;
  /// What the thread hands on: its clock with what it consumed.
  [[nodiscard]] Clock given(ThreadIndex thread, const Clock& own) const;
  /// Whether an access that depends on what the thread consumed sees that epoch of the other thread.
  [[nodiscard]] bool consumed(ThreadIndex thread, ThreadIndex other, std::uint32_t epoch) const;

 private:
  using Heads = std::map<ThreadIndex, Clock>;  ///< of release sequences: by the thread that began it

  struct OfThread {
    Clock read;    ///< what an acquire fence would acquire
    Clock fenced;  ///< what the last release fence lets later stores give
    Clock consumed;
  };
  OfThread& of(ThreadIndex thread);
  template <class Visit>
  void for_overlapping(const Bytes& bytes, Visit visit) const;

  bool is_strict_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Heads> cells_;  ///< by address and size
  std::uint64_t largest_ = 1;
  std::vector<OfThread> threads_;
};

}  // namespace heddle::explore
