// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/state/journal.h"

#include "base/check.h"

namespace heddle::interpret {

MarkState Journal::take() {
  log_.begin_epoch();
  log_.set_on(true);
  return {log_.size(), account_.mark()};
}

void Journal::undo_to(const MarkState& mark) {
  while (log_.size() > mark.log) {
    const LogEntry entry = log_.take_last();
    switch (entry.kind) {
      case LogEntry::Kind::Bytes:
      case LogEntry::Kind::Allocate:
      case LogEntry::Kind::Free:
      case LogEntry::Kind::Share:
      case LogEntry::Kind::HasSync: memory_.undo(entry); break;
      case LogEntry::Kind::Sync:
      case LogEntry::Kind::NewSync: syncs_.undo(entry); break;
      case LogEntry::Kind::Thread:
      case LogEntry::Kind::NewThread: threads_.undo(entry); break;
      case LogEntry::Kind::Library: library_.undo(); break;
    }
  }
  account_.undo_to(mark.account);
  threads_.count_live();
  log_.begin_epoch();
}

void Journal::forget_unless_marked() {
  if (!marks_.empty()) return;
  memory_.drop_freed();
  log_.clear();
  log_.set_on(false);
  threads_.forget_saves();
  syncs_.forget_saves();
  library_.forget_saves();
}

std::size_t Journal::push_mark() {
  marks_.push_back(take());
  return marks_.size() - 1;
}

void Journal::undo_to_mark(std::size_t mark) {
  HEDDLE_CHECK(mark < marks_.size(), "undo to a mark that is gone");
  marks_.resize(mark + 1);
  undo_to(marks_[mark]);
}

void Journal::pop_mark() {
  marks_.pop_back();
  forget_unless_marked();
}

void Journal::forget_marks() {
  marks_.clear();
  forget_unless_marked();
}

}  // namespace heddle::interpret
