// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Going back in time. A mark is a handful of numbers: how long the log and the account were. From the first mark on
// every change is logged; `undo_to` takes the changes back one by one, last first, until the log is as short as it was,
// so the state is exactly the one that was marked. It costs what was changed, not what exists.
//
//   mark a;  x = 1;  mark b;  lock(m);     log: Bytes x | Sync m          (the bars are the marks)
//   undo to b                              log: Bytes x |                 m is free, x is 1
//   undo to a                              log: |                         x is what it was
//
// The marks of a search are a stack and live here. Two others need a mark for the length of one step only: an atomic
// section, which is taken back when its assumption fails, and a rehearsal (sync/rehearsal.h). They call `take`
// themselves and, if no search has a mark, forget the log when they are done.
#pragma once
#include <vector>

#include "interpret/state/account.h"
#include "interpret/state/library_store.h"
#include "interpret/state/sync_table.h"

namespace heddle::interpret {

struct MarkState {
  std::size_t log = 0;
  Account::Mark account;
};

class Journal {
 public:
  Journal(UndoLog& log, Memory& memory, Threads& threads, SyncTable& syncs, LibraryStore& library, Account& account)
      : log_(log), memory_(memory), threads_(threads), syncs_(syncs), library_(library), account_(account) {}

  /// Logs from here on.
  MarkState take();
  void undo_to(const MarkState& mark);
  /// Keeps the state, and the log only if a mark of the stack still needs it.
  void forget_unless_marked();

  // The stack of marks.
  std::size_t push_mark();
  void undo_to_mark(std::size_t mark);  ///< the mark stays
  void pop_mark();
  void forget_marks();
  [[nodiscard]] std::size_t log_size_at(std::size_t mark) const { return marks_[mark].log; }

 private:
  UndoLog& log_;
  Memory& memory_;
  Threads& threads_;
  SyncTable& syncs_;
  LibraryStore& library_;
  Account& account_;
  std::vector<MarkState> marks_;
};

}  // namespace heddle::interpret
