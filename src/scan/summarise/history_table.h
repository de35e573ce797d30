// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HistoryTable: the acquisition histories of one function, interned, and what events do to them. 0 is the empty one.
// They go beside the locksets of LocksetTable and are not interned with them: most states differ in one of the two.
//
//   lock(a); lock(b); unlock(b);             {a: {b}}
//   lock(a); lock(b); wait(c, b);            {a: {b}}: b is held, and nothing is known of before
//   lock(a); g();   g: lock(b); unlock(b)    {a: {b}}, by what g acquires since its entry
//
// Sound as a lower bound: a lock is noted where it was surely acquired, or is surely held, which serves as well
// (race/claims/lock_order.h); where ways meet, what both say is left; a lock that may have been given back loses its
// row, by whatever name. Very many are not noted.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "scan/summarise/lockset_table.h"

namespace heddle::scan {

class HistoryTable {
 public:
  HistoryTable(const Execution& done, LocksetTable& locksets)
      : locksets_(locksets), calls_(done.calls), all_(1), rows_of_(1, 0), composed_(done.calls.size()) {}

  /// `held`: the lockset in front of the event.
  [[nodiscard]] std::uint32_t acquire(std::uint32_t before, std::uint32_t held, Lvalue lock, locks::Mode mode);
  [[nodiscard]] std::uint32_t release(std::uint32_t before, std::uint32_t held, Lvalue lock, std::uint32_t after);
  /// Invalid: of some lock.
  [[nodiscard]] std::uint32_t wait(std::uint32_t before, std::uint32_t held, Lvalue lock);
  /// `theirs`: the callee's history at its return, or at an access; `after`: the lockset there, in our terms.
  [[nodiscard]] std::uint32_t after_call(std::uint32_t call, std::uint32_t before, std::uint32_t held,
                                         std::uint32_t theirs, std::uint32_t after);
  /// The locks that are held turn out to be these, of a call behind which nothing else was taken or given back.
  [[nodiscard]] std::uint32_t now_held(std::uint32_t before, std::uint32_t held, std::uint32_t after);
  [[nodiscard]] std::uint32_t enter(std::uint32_t rank, std::uint32_t before);
  [[nodiscard]] std::uint32_t cross(std::uint32_t to, std::uint32_t before);
  [[nodiscard]] std::uint32_t join(std::uint32_t a, std::uint32_t b);

  [[nodiscard]] const std::vector<LockHistory>& all() const { return all_; }
  /// The same for all with these rows.
  [[nodiscard]] std::uint32_t rows_of(std::uint32_t history) const { return rows_of_[history]; }
  /// See FunctionSummary; of the events so far.
  [[nodiscard]] const std::vector<Interruption>& interrupted() const { return gone_.interrupted; }
  [[nodiscard]] bool may_interrupt_any() const { return may_interrupt_any_; }

 private:
  using Algebra = locks::AcquisitionHistory<Lvalue>;
  struct Question {
    std::uint32_t before = 0, held = 0, theirs = 0, after = 0;
    friend bool operator==(const Question&, const Question&) = default;
  };
  /// What a call makes of one state, by the callee's: the groups of a callee have few between them.
  struct Composed {
    std::uint32_t before = ~0U, held = 0;
    std::vector<std::pair<Question, std::uint32_t>> answers;
  };
  [[nodiscard]] std::uint32_t intern(LockHistory history);
  [[nodiscard]] std::uint32_t compose(const Question& question, const BoundCall& call);
  [[nodiscard]] Algebra bound(const BoundCall& call, std::uint32_t theirs, const RelativeLockset& held,
                              bool& loses_any);
  void bind_gone(const BoundCall& call, const RelativeLockset& held, Algebra& out, bool& loses_any);
  template <class IsStale>
  [[nodiscard]] std::uint32_t forget_if(std::uint32_t before, const IsStale& is_stale);

  LocksetTable& locksets_;
  const std::vector<BoundCall>& calls_;
  std::vector<LockHistory> all_;
  std::vector<std::uint32_t> rows_of_;
  std::vector<Composed> composed_;  ///< by call: the last answers
  Algebra gone_;                    ///< only its interruptions
  bool may_interrupt_any_ = false;
};

}  // namespace heddle::scan
