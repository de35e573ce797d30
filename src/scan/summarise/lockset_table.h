// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LocksetTable: the relative locksets of one function, interned, and what events do to them. 0 is the empty one.
//
//   after_call(g, ({d->m},{}), g's exit ({Formal 0.n},{}))        g was called with d:  ({d->m, d->n},{})
//
// Names of callees are put into ours. A lock whose object has no name here keeps its kind: "the member `l` of some
// struct node". A release by a name that is not held takes away every lock it may mean: those that a pointer was chosen
// from, or those of the same type, as far as either name leaves open which object it is (one_place.h); so what is held
// is surely held, by the name it has (assumptions `stable-paths`, `typed-memory`).
#pragma once
#include <cstdint>
#include <vector>

#include "scan/summarise/lock_renaming.h"

namespace heddle::scan {

class LocksetTable {
 public:
  LocksetTable(const ScanInput& input, const FunctionBody& body, ValueNames& names, const Execution& done)
      : program_(input.program),
        pointed_to_(input.pointed_to),
        typed_memory_(input.assumptions.typed_memory),
        may_refuse_(input.locks_may_refuse),
        names_(names),
        nodes_(names.nodes()),
        calls_(done.calls),
        renaming_(body, names, done),
        rows_(1),
        rebound_(done.calls.size()),
        composed_(done.calls.size()) {}

  [[nodiscard]] std::uint32_t acquire(std::uint32_t before, Lvalue lock, locks::Mode mode);
  [[nodiscard]] std::uint32_t release(std::uint32_t before, Lvalue lock);
  /// `call`: in Execution::calls; `theirs`: the callee's lockset at its return, or at an access.
  [[nodiscard]] std::uint32_t after_call(std::uint32_t call, std::uint32_t before, std::uint32_t theirs);
  /// Nothing is claimed, and everything is feared that some row gives back: so it is when an exception leaves the
  /// function anywhere.
  [[nodiscard]] std::uint32_t thrown();
  /// At the beginning of a block, and on the way from one to another: see lock_renaming.h.
  [[nodiscard]] std::uint32_t enter(std::uint32_t rank, std::uint32_t before);
  [[nodiscard]] std::uint32_t cross(std::uint32_t from, std::uint32_t to, std::uint32_t before);
  /// At the head of a loop: what was known there, and what comes round.
  [[nodiscard]] std::uint32_t widen(std::uint32_t known, std::uint32_t next);
  /// What is so on both ways.
  [[nodiscard]] std::uint32_t join(std::uint32_t a, std::uint32_t b);
  [[nodiscard]] const std::vector<RelativeLockset>& rows() const { return rows_; }

  /// What is left of a lockset when a lock is given back, which has no number then.
  [[nodiscard]] RelativeLockset without(RelativeLockset held, Lvalue lock);
  /// The names under which a lock may be held that is given back by this one.
  [[nodiscard]] std::vector<Lvalue> released_names(const RelativeLockset& held, Lvalue lock);
  /// Whether a release by this name may mean a lock that was taken by another: one of the two does not say which object
  /// it is, and both are the same place in the same kind of object.
  [[nodiscard]] bool may_mean(Lvalue released, Lvalue held) const;
  /// A lock of an object that has no name here: all that is left is its kind, the member of the struct.
  [[nodiscard]] Lvalue some_lock(const FunctionSummary& callee, Lvalue lock);
  [[nodiscard]] const LockRenaming& renaming() const { return renaming_; }

 private:
  static constexpr std::uint32_t unasked = ~0U;
  /// What a call makes of one lockset, by the callee's: the groups of a callee have few between them.
  struct Composed {
    std::uint32_t before = unasked;
    std::vector<std::uint32_t> after;
  };
  [[nodiscard]] std::uint32_t compose_call(std::uint32_t call, std::uint32_t before, std::uint32_t theirs);
  [[nodiscard]] std::uint32_t intern(RelativeLockset lockset);
  [[nodiscard]] std::uint32_t rebound(std::uint32_t call, std::uint32_t theirs);
  [[nodiscard]] RelativeLockset by_meaning(const RelativeLockset& held, const RelativeLockset& then);

  const Program& program_;
  const std::vector<bool>& pointed_to_;
  const bool typed_memory_;
  const bool may_refuse_;  ///< a lock that is held may not be taken once more, and then one release gives it back
  ValueNames& names_;
  const NodeTable& nodes_;
  const std::vector<BoundCall>& calls_;
  LockRenaming renaming_;
  std::vector<RelativeLockset> rows_;
  std::vector<std::vector<std::uint32_t>> rebound_;  ///< by call, by callee lockset: ours, once asked for
  std::vector<Composed> composed_;                   ///< by call: the last answers
};

}  // namespace heddle::scan
