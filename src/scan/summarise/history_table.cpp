// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/summarise/history_table.h"

#include <algorithm>

namespace heddle::scan {
namespace {

constexpr std::size_t most_since = 8, most_since_entry = 16;

void note(AcquiredSet& to, std::size_t most, const AcquiredLock& acquired) {
  if (to.size() < most || locks::find_row(to, acquired.lock) != nullptr) locks::add(to, acquired.lock, acquired.mode);
}

/// To the history of a lock that is held.
void note_since(LockHistory& history, Lvalue held, const AcquiredLock& acquired) {
  if (held == acquired.lock) return;
  auto at = locks::row_of(history.rows, held);
  if (at == history.rows.end() || at->lock != held) at = history.rows.insert(at, {held, {}});
  note(at->since, most_since, acquired);
}

void keep_held(LockHistory& history, const RelativeLockset& held) {
  std::erase_if(history.rows, [&](const HistoryRow& row) { return held.find(row.lock) == nullptr; });
}

}  // namespace

std::uint32_t HistoryTable::intern(LockHistory history) {
  const auto at = std::ranges::find(all_, history);
  const auto number = static_cast<std::uint32_t>(at - all_.begin());
  if (at != all_.end()) return number;
  const auto same = std::ranges::find(all_, history.rows, &LockHistory::rows);
  rows_of_.push_back(static_cast<std::uint32_t>(same - all_.begin()));
  all_.push_back(std::move(history));
  return number;
}

std::uint32_t HistoryTable::join(std::uint32_t a, std::uint32_t b) {
  if (a == b) return a;
  LockHistory out;
  locks::for_each_of_both(all_[a].rows, all_[b].rows, [&](Lvalue lock, const auto* x, const auto* y) {
    if (x == nullptr || y == nullptr) return;
    AcquiredSet since = locks::join<locks::Bound::Lower>(x->since, y->since);
    if (!since.empty()) out.rows.push_back({lock, std::move(since)});
  });
  out.since_entry = locks::join<locks::Bound::Lower>(all_[a].since_entry, all_[b].since_entry);
  return intern(std::move(out));
}

std::uint32_t HistoryTable::acquire(std::uint32_t before, std::uint32_t held, Lvalue lock, locks::Mode mode) {
  LockHistory out = all_[before];
  for (const HeldLock& own : locksets_.rows()[held].acquired) note_since(out, own.lock, {lock, mode});
  note(out.since_entry, most_since_entry, {lock, mode});
  return intern(std::move(out));
}

std::uint32_t HistoryTable::release(std::uint32_t before, std::uint32_t held, Lvalue lock, std::uint32_t after) {
  const RelativeLockset& left = locksets_.rows()[after];
  for (const Lvalue one : locksets_.released_names(locksets_.rows()[held], lock))
    gone_.interrupt(one, left.change_of(one).loss());
  if (all_[before].rows.empty()) return before;
  LockHistory out = all_[before];
  keep_held(out, left);
  return intern(std::move(out));
}

std::uint32_t HistoryTable::wait(std::uint32_t before, std::uint32_t held, Lvalue lock) {
  LockHistory out = all_[before];
  if (!lock.valid()) {
    may_interrupt_any_ = true;
    out.rows.clear();
    return intern(std::move(out));
  }
  const RelativeLockset own = locksets_.rows()[held];
  const RelativeLockset left = locksets_.without(own, lock);
  for (const Lvalue one : locksets_.released_names(own, lock)) gone_.interrupt(one, left.change_of(one).loss());
  keep_held(out, left);
  // Of a lock that a caller holds, only the caller can say that it is held again.
  if (const HeldLock* again = own.find(lock)) {
    for (const HeldLock& other : own.acquired) note_since(out, other.lock, {lock, again->mode});
    note(out.since_entry, most_since_entry, {lock, again->mode});
  }
  return intern(std::move(out));
}

std::uint32_t HistoryTable::now_held(std::uint32_t before, std::uint32_t held, std::uint32_t after) {
  const RelativeLockset &first = locksets_.rows()[held], &then = locksets_.rows()[after];
  LockHistory out = all_[before];
  keep_held(out, then);
  for (const HeldLock& taken : then.acquired) {
    if (first.find(taken.lock) != nullptr) continue;
    for (const HeldLock& other : then.acquired)
      if (first.find(other.lock) != nullptr) note_since(out, other.lock, {taken.lock, taken.mode});
    note(out.since_entry, most_since_entry, {taken.lock, taken.mode});
  }
  return intern(std::move(out));
}

template <class IsStale>
std::uint32_t HistoryTable::forget_if(std::uint32_t before, const IsStale& is_stale) {
  if (before == 0) return before;
  LockHistory out = all_[before];
  const auto is_stale_row = [&](const auto& row) { return is_stale(row.lock); };
  for (HistoryRow& row : out.rows) std::erase_if(row.since, is_stale_row);
  std::erase_if(out.rows, [&](const HistoryRow& row) { return row.since.empty() || is_stale(row.lock); });
  std::erase_if(out.since_entry, is_stale_row);
  return intern(std::move(out));
}

std::uint32_t HistoryTable::enter(std::uint32_t rank, std::uint32_t before) {
  const LockRenaming& renaming = locksets_.renaming();
  if (!renaming.forgets_any(rank)) return before;
  return forget_if(before, [&](Lvalue lock) { return renaming.is_forgotten_in(rank, lock); });
}

std::uint32_t HistoryTable::cross(std::uint32_t to, std::uint32_t before) {
  const LockRenaming& renaming = locksets_.renaming();
  if (!renaming.has_phis(to)) return before;
  return forget_if(before, [&](Lvalue lock) { return renaming.is_forgotten_on_way_to(to, lock); });
}

std::uint32_t HistoryTable::after_call(std::uint32_t index, std::uint32_t before, std::uint32_t held,
                                       std::uint32_t theirs, std::uint32_t after) {
  const BoundCall& call = calls_[index];
  const FunctionSummary& callee = *call.summary;
  const bool is_calm = !call.may_interrupt && !callee.may_interrupt_any && callee.interrupted.empty();
  const bool says_nothing = !call.is_bound || !call.keeps_history || theirs == 0;
  if (is_calm && says_nothing && (held == after || all_[before].rows.empty())) return before;
  const Question question{before, held, theirs, after};
  Composed& known = composed_[index];
  if (known.before != before || known.held != held) known = {before, held, {}};
  for (const auto& [asked, answer] : known.answers)
    if (asked == question) return answer;
  known.answers.emplace_back(question, compose(question, call));
  return known.answers.back().second;
}

std::uint32_t HistoryTable::compose(const Question& question, const BoundCall& call) {
  const RelativeLockset own = locksets_.rows()[question.held], after = locksets_.rows()[question.after];
  bool loses_any = call.may_interrupt || call.summary->may_interrupt_any;
  const Algebra then = bound(call, question.theirs, own, loses_any);
  may_interrupt_any_ |= loses_any;
  const auto relation = [&](Lvalue released, Lvalue held) { return locksets_.may_mean(released, held); };
  RelativeLockset kept = after;
  for (const Interruption& gone : then.interrupted) {
    locksets_.renaming().drop_other_names(kept, gone.lock);
    gone_.interrupt(gone.lock,
                    gone.depth == locks::LockChange::any ? gone.depth : own.change_of(gone.lock).loss() + gone.depth);
  }
  // Locks that were held all the time; of the others, what the callee says.
  const auto is_kept = [&](Lvalue lock) {
    const int times = own.change_of(lock).acquired;
    return !loses_any && times != 0 && kept.find(lock) != nullptr &&
           locks::times_given_back(lock, own, then, relation) < times;
  };
  LockHistory out = all_[question.before];
  std::erase_if(out.rows, [&](const HistoryRow& row) { return !is_kept(row.lock); });
  for (const HeldLock& held : own.acquired)
    if (is_kept(held.lock))
      for (const AcquiredLock& acquired : then.since_entry) note_since(out, held.lock, acquired);
  for (const HistoryRow& row : then.rows)
    if (after.find(row.lock) != nullptr && !is_kept(row.lock))
      for (const AcquiredLock& acquired : row.since) note_since(out, row.lock, acquired);
  for (const AcquiredLock& acquired : then.since_entry) note(out.since_entry, most_since_entry, acquired);
  // Given back on the way, and held again: by a wait, say.
  for (const Interruption& gone : then.interrupted)
    if (const HeldLock* again = after.find(gone.lock)) {
      for (const HeldLock& other : after.acquired) note_since(out, other.lock, {gone.lock, again->mode});
      note(out.since_entry, most_since_entry, {gone.lock, again->mode});
    }
  return intern(std::move(out));
}

/// What a callee says, in our terms; of a lock that has no name here, nothing.
HistoryTable::Algebra HistoryTable::bound(const BoundCall& call, std::uint32_t theirs, const RelativeLockset& held,
                                          bool& loses_any) {
  Algebra out;
  if (!call.is_bound) return out;
  bind_gone(call, held, out, loses_any);
  if (!call.keeps_history || theirs == 0) return out;
  const LockHistory& history = call.summary->histories[theirs];
  for (const AcquiredLock& acquired : history.since_entry)
    if (const Lvalue lock = call.name(acquired.lock); lock.valid()) locks::add(out.since_entry, lock, acquired.mode);
  for (const HistoryRow& row : history.rows) {
    const Lvalue lock = call.name(row.lock);
    if (!lock.valid()) continue;
    const auto at = locks::row_of(out.rows, lock);
    if (at != out.rows.end() && at->lock == lock) continue;
    AcquiredSet since;
    for (const AcquiredLock& acquired : row.since)
      if (const Lvalue name = call.name(acquired.lock); name.valid()) locks::add(since, name, acquired.mode);
    out.rows.insert(at, {lock, std::move(since)});
  }
  return out;
}

/// As LocksetTable does it with what is given back.
void HistoryTable::bind_gone(const BoundCall& call, const RelativeLockset& held, Algebra& out, bool& loses_any) {
  for (const Interruption& gone : call.summary->interrupted) {
    Lvalue at = call.name(gone.lock);
    loses_any |= at == BoundCall::somewhere();
    if (BoundCall::has_no_name(at)) at = locksets_.some_lock(*call.summary, gone.lock);
    if (!at.valid()) continue;
    for (const Lvalue one : locksets_.released_names(held, at)) out.interrupt(one, gone.depth);
  }
}

}  // namespace heddle::scan
