// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LockRenaming: locks whose names change their meaning on the way through a function. A lock named by a value is not
// known by that name any more when the value gets its next content; on the way to a block with phis, the locks of what
// goes into one get its name as well.
//
//   for (n = list; n; n = n->next)                 n is a phi: in the next round `n->l` is another lock
//     if (!trylock(&n->l)) goto out;
//   out: n->x = 1;                                 n is another value here, one of several; `n->l` is held
//
// A lock that has two names then is given back by both when it is given back by one.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "scan/execute/execution.h"
#include "scan/summary/relative_lockset.h"

namespace heddle::scan {

class LockRenaming {
 public:
  /// Does nothing in a function without lock events.
  LockRenaming(const FunctionBody& body, ValueNames& names, const Execution& done);

  /// Forgets names whose values get another content in the block. False: the lockset stays as it is.
  [[nodiscard]] bool enter(std::uint32_t rank, RelativeLockset& held) const;
  /// Whether the way to a block renames anything; then cross() does it.
  [[nodiscard]] bool has_phis(std::uint32_t to) const { return !phis_.empty() && !phis_[to].empty(); }
  void cross(std::uint32_t from, std::uint32_t to, RelativeLockset& held);
  /// Releasing a lock releases it under all its names.
  void drop_other_names(RelativeLockset& held, Lvalue released) const;
  /// Whether a name means something else once the block is entered, or on the way to it.
  [[nodiscard]] bool is_forgotten_in(std::uint32_t rank, Lvalue name) const;
  [[nodiscard]] bool is_forgotten_on_way_to(std::uint32_t rank, Lvalue name) const;
  [[nodiscard]] bool forgets_any(std::uint32_t rank) const { return !forgets_.empty() && !forgets_[rank].empty(); }

 private:
  void find_forgets(const Execution& done);
  void find_named_phis();
  void rename(std::uint32_t phi, std::uint32_t from, const RelativeLockset& held, std::vector<HeldLock>& renamed);
  [[nodiscard]] NodeId node_of(std::uint32_t phi) const { return names_.value_of(f_.result_of(phi)).address.node; }

  const FunctionBody& body_;
  const Function& f_;
  ValueNames& names_;
  const NodeTable& nodes_;
  std::vector<std::vector<NodeId>> forgets_;         ///< by rank: names that mean something else from here on
  std::vector<std::vector<std::uint32_t>> phis_;     ///< by rank: those of pointers that have a name of their own
  std::vector<std::pair<Lvalue, Lvalue>> one_lock_;  ///< two names of one lock
};

}  // namespace heddle::scan
