// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/reach/named_history.h"

#include <algorithm>

#include "locks/excludes.h"
#include "scan/reach/reach.h"

namespace heddle::scan {
namespace {

/// The row of a name in a sorted list, or where it belongs.
auto row_of(auto& rows, std::uint32_t name, auto name_of) { return std::ranges::lower_bound(rows, name, {}, name_of); }

constexpr auto name_of_row = [](const NamedRow& row) { return row.held.name; };

void note(std::vector<NamedLock>& to, const NamedLock& taken) {
  const auto at = row_of(to, taken.name, &NamedLock::name);
  if (at != to.end() && at->name == taken.name)
    at->mode = locks::stronger(at->mode, taken.mode);
  else
    to.insert(at, taken);
}

const NamedRow* find(const NamedHistory& rows, std::uint32_t name) {
  const auto at = row_of(rows, name, name_of_row);
  return at != rows.end() && at->held.name == name ? &*at : nullptr;
}

std::vector<NamedLock> either(const std::vector<NamedLock>& a, const std::vector<NamedLock>& b) {
  std::vector<NamedLock> out;
  for (const NamedLock& lock : a)
    if (const auto at = row_of(b, lock.name, &NamedLock::name); at != b.end() && at->name == lock.name)
      out.push_back({lock.name, locks::weaker(lock.mode, at->mode)});
  return out;
}

class HistoryAt {
 public:
  HistoryAt(const ScanInput& input, LockNames& names, const HistoryPoint& point, const Visit& visit, Lvalue data)
      : in_(input),
        names_(names),
        summary_(point.summary),
        lockset_(point.summary.locksets[point.lockset]),
        history_(point.summary.histories[point.history]),
        visit_(visit),
        data_(data) {}

  NamedHistory run() {
    for (const NamedLock& held : held_all_the_time()) add_older(held);
    for (const HistoryRow& row : history_.rows) add_own(row);
    return std::move(out_);
  }

 private:
  /// Of the locks at the entry.
  std::vector<NamedLock> held_all_the_time() {
    if (summary_.may_interrupt_any || (visit_.history.empty() && history_.since_entry.empty())) return {};
    std::vector<NamedLock> left = visit_.locks;
    std::erase_if(left, [&](const NamedLock& held) { return names_.is_kind(held.name); });
    if (left.empty()) return left;
    std::vector<ReleasedLock> gone = lockset_.released;
    for (const Interruption& one : summary_.interrupted) gone.push_back({one.lock, one.depth, 0});
    names_.give_back(in_, summary_, gone, left);
    return left;
  }

  void add_older(const NamedLock& held) {
    NamedRow row{held, {}};
    if (const NamedRow* before = find(visit_.history, held.name)) row.since = before->since;
    for (const AcquiredLock& acquired : history_.since_entry)
      for (const std::uint32_t name : names_of(acquired.lock))
        if (name != held.name) note(row.since, {name, acquired.mode});
    if (!row.since.empty()) out_.push_back(std::move(row));
  }

  void add_own(const HistoryRow& row) {
    const HeldLock* held = lockset_.find(row.lock);
    if (held == nullptr) return;
    for (const std::uint32_t name : names_of(row.lock)) {
      const auto at = row_of(out_, name, name_of_row);
      if (at != out_.end() && at->held.name == name) continue;
      NamedRow own{{name, held->mode}, {}};
      for (const AcquiredLock& acquired : row.since)
        for (const std::uint32_t other : names_of(acquired.lock))
          if (other != name) note(own.since, {other, acquired.mode});
      if (!own.since.empty()) out_.insert(at, std::move(own));
    }
  }

  std::vector<std::uint32_t> names_of(Lvalue lock) {
    std::vector<std::uint32_t> out;
    if (data_.valid())
      out = names_.of_lock(summary_, data_, lock);
    else if (const std::uint32_t name = names_.fixed(summary_, lock); name != LockNames::none)
      out.push_back(name);
    if (const std::uint32_t name = names_.bound(summary_, lock, visit_.passed); name != LockNames::none)
      out.push_back(name);
    return out;
  }

  const ScanInput& in_;
  LockNames& names_;
  const FunctionSummary& summary_;
  const RelativeLockset& lockset_;
  const LockHistory& history_;
  const Visit& visit_;
  const Lvalue data_;
  NamedHistory out_;
};

}  // namespace

NamedHistory either_history(const NamedHistory& a, const NamedHistory& b) {
  NamedHistory out;
  for (const NamedRow& row : a)
    if (const NamedRow* other = find(b, row.held.name)) {
      NamedRow both{{row.held.name, locks::weaker(row.held.mode, other->held.mode)}, either(row.since, other->since)};
      if (!both.since.empty()) out.push_back(std::move(both));
    }
  return out;
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> find_opposite(const NamedHistory& a, const NamedHistory& b) {
  // Whether the thread of a row took what the other holds, and not both only for reading.
  const auto has_taken = [](const NamedRow& row, const NamedLock& held) {
    const auto at = row_of(row.since, held.name, &NamedLock::name);
    return at != row.since.end() && at->name == held.name && locks::excludes(at->mode, held.mode);
  };
  for (const NamedRow& x : a)
    for (const NamedRow& y : b)
      if (has_taken(x, y.held) && has_taken(y, x.held)) return std::pair(x.held.name, y.held.name);
  return std::nullopt;
}

NamedHistory history_at(const ScanInput& input, LockNames& names, const HistoryPoint& point, const Visit& visit,
                        Lvalue data) {
  if (point.history == 0 && visit.history.empty()) return {};
  return HistoryAt(input, names, point, visit, data).run();
}

}  // namespace heddle::scan
