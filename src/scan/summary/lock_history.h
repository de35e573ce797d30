// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LockHistory: the acquisition histories of summaries (CAV07 §4, Definition 6): for each lock that the function holds,
// what was surely acquired since it was taken, also if it was given back.
//
//   lock(&d->a); lock(&d->b); unlock(&d->b); d->x = 1;      at the write: {d->a: {d->b}}, since the entry {d->a, d->b}
//
// A lower bound over symbolic lvalues, made of the sets of src/locks, relative to the function's entry as locksets are.
// What was acquired since the entry goes to the histories of all locks that callers hold, but of those that the
// function may give back on the way, though it may hold them again when it returns: FunctionSummary::interrupted. These
// are kept once for the whole function and not point by point: functions that give back what they did not take are few,
// and a caller then only knows less.
#pragma once
#include <vector>

#include "locks/acquisition_history.h"
#include "scan/names/lvalue.h"

namespace heddle::scan {

using AcquiredLock = locks::AcquiredLock<Lvalue>;
using AcquiredSet = locks::AcquiredSet<Lvalue>;
using HistoryRow = locks::HistoryRow<Lvalue>;
using Interruption = locks::Interruption<Lvalue>;

struct LockHistory {
  std::vector<HistoryRow> rows;  ///< sorted by lock; none is empty, and each lock is held
  AcquiredSet since_entry;
  friend auto operator<=>(const LockHistory&, const LockHistory&) = default;
  [[nodiscard]] bool is_empty() const { return rows.empty() && since_entry.empty(); }
};

}  // namespace heddle::scan
