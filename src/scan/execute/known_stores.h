// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// KnownStores: which pointers lie in memory at the point that symbolic execution has come to, as far as the function
// stored them itself.
//
//   g->lock = &m;  take(g->lock);        load(g->lock) is &m, so it is `m` that is taken
//   take(d->lock);                       nothing was stored: load(d->lock) is the address of what `d->lock` leads to
//
// At a block, what all ways there agree on; around a loop, only locals that nothing in it or behind it writes
// (local_writes.h). A store by another name may go to the same memory: it is forgotten if the offset is the same
// (assumption `stable-paths`). Without the assumption, only what lies in memory that nobody else knows counts: another
// thread may have stored something else there. At most Limits::stores of them.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "scan/execute/local_writes.h"
#include "scan/execute/publication.h"
#include "scan/execute/value_names.h"

namespace heddle::scan {

using StoreMap = std::vector<std::pair<Lvalue, SymbolicValue>>;  ///< sorted by lvalue

/// None if it is not in the map.
[[nodiscard]] const SymbolicValue* find_store(const StoreMap& stores, Lvalue at);

class KnownStores {
 public:
  KnownStores(const ScanInput& input, const std::vector<FunctionSummary>& summaries, const FunctionBody& body,
              ValueNames& names, const Publication& publication);

  void enter_block(std::uint32_t rank);
  void leave_block(std::uint32_t rank);

  /// The pointer in memory: what was stored there, or a name for what it leads to. `type`: what it points to, if the
  /// source says so.
  [[nodiscard]] SymbolicValue load(Lvalue from, TypeId type);
  void store(Lvalue to, const SymbolicValue& value);
  void forget(NodeId node, const ByteRange& bytes);
  template <class Which>
  void forget_if(Which which) {
    std::erase_if(now_, [&](const auto& entry) { return which(entry.first.node); });
  }
  void forget_all(NodeId node) { forget(node, ByteRange::everything()); }

  /// What was stored there; none if it is not known.
  [[nodiscard]] const SymbolicValue* find(Lvalue at) const;
  [[nodiscard]] const StoreMap& now() const { return now_; }
  [[nodiscard]] bool knows_any_of(NodeId node) const;

 private:
  [[nodiscard]] bool is_trusted(NodeId node) const;
  static void keep_common(StoreMap& stores, const StoreMap& others);

  const ScanInput& in_;
  const FunctionBody& body_;
  ValueNames& names_;
  const Publication& publication_;
  LocalWrites local_writes_;
  std::vector<StoreMap> at_exit_;  ///< by rank
  StoreMap now_;
};

}  // namespace heddle::scan
