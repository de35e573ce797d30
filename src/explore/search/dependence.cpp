// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/search/dependence.h"

#include <algorithm>

namespace heddle::explore {

bool overlap(const TouchedObject& a, const TouchedObject& b) {
  return a.object == b.object && a.begin < b.end && b.begin < a.end;
}

bool dependent(const Event& a, const Event& b) {
  for (const TouchedObject& x : a.touches)
    for (const TouchedObject& y : b.touches)
      if (overlap(x, y) && (x.kind != TouchKind::Read || y.kind != TouchKind::Read)) return true;
  return false;
}

bool never_enabled_together(const Event& earlier, const Event& later) {
  for (const TouchedObject& x : earlier.touches)
    for (const TouchedObject& y : later.touches)
      if (overlap(x, y) && x.kind == TouchKind::Release && y.kind == TouchKind::Acquire) return true;
  return false;
}

bool may_have_to_wait(const Event& earlier, const Event& later) {
  for (const TouchedObject& x : earlier.touches)
    for (const TouchedObject& y : later.touches)
      if (overlap(x, y) && x.kind != TouchKind::Acquire && y.kind == TouchKind::Acquire) return true;
  return false;
}

void Trace::clear() { truncate(0); }

void Trace::append(Event event) {
  const std::size_t at = events_.size();
  Past past = past_of(event);
  if (by_thread_.size() <= event.thread) by_thread_.resize(event.thread + 1);
  std::vector<std::size_t>& own = by_thread_[event.thread];
  own.push_back(at);
  const auto rank = static_cast<std::uint32_t>(own.size());
  if (past.clock.size() <= event.thread) past.clock.resize(event.thread + 1);
  past.clock[event.thread] = rank;
  for (const TouchedObject& touch : event.touches) {
    std::vector<std::vector<std::size_t>>& users = make_users(touch.object).by_thread;
    if (users.size() <= event.thread) users.resize(event.thread + 1);
    if (users[event.thread].empty() || users[event.thread].back() != at) users[event.thread].push_back(at);
  }
  for (const ThreadIndex child : event.spawned) {
    if (spawned_by_.size() <= child) spawned_by_.resize(child + 1, none);
    spawned_by_[child] = at;
  }
  events_.push_back(std::move(event));
  clocks_.push_back(std::move(past.clock));
  races_.push_back(std::move(past.races));
  rank_.push_back(rank);
}

void Trace::truncate(std::size_t size) {
  while (events_.size() > size) {
    const std::size_t at = events_.size() - 1;
    const Event& event = events_.back();
    by_thread_[event.thread].pop_back();
    for (const TouchedObject& touch : event.touches) {
      std::vector<std::size_t>& users = make_users(touch.object).by_thread[event.thread];
      if (!users.empty() && users.back() == at) users.pop_back();
    }
    for (const ThreadIndex child : event.spawned) spawned_by_[child] = none;
    events_.pop_back();
    clocks_.pop_back();
    rank_.pop_back();
    races_.pop_back();
  }
}

bool Trace::happens_before(std::size_t a, std::size_t b) const {
  const ThreadIndex thread = events_[a].thread;
  return thread < clocks_[b].size() && clocks_[b][thread] >= rank_[a];
}

const Clock& Trace::clock_before(const Event& event) const {
  static const Clock nothing;
  if (event.thread < by_thread_.size() && !by_thread_[event.thread].empty())
    return clocks_[by_thread_[event.thread].back()];
  const bool was_created = event.thread < spawned_by_.size() && spawned_by_[event.thread] != none;
  return was_created ? clocks_[spawned_by_[event.thread]] : nothing;
}

const Trace::Users* Trace::users_of(std::uint64_t object) const {
  if (users_.empty()) return nullptr;
  const std::uint32_t slot =
      slots_.find(mixed(0, object), [&](std::uint32_t number) { return users_[number - 1].object == object; });
  return slot == 0 ? nullptr : &users_[slot - 1];
}

Trace::Users& Trace::make_users(std::uint64_t object) {
  slots_.make_room(users_.size(), [&](std::uint32_t number) { return mixed(0, users_[number - 1].object); });
  std::uint32_t& slot =
      slots_.find(mixed(0, object), [&](std::uint32_t number) { return users_[number - 1].object == object; });
  if (slot == 0) {
    users_.push_back({object, {}});
    slot = static_cast<std::uint32_t>(users_.size());
  }
  return users_[slot - 1];
}

std::vector<std::size_t> Trace::races_with(const Event& event) const { return past_of(event).races; }

Trace::Past Trace::past_of(const Event& event) const {
  std::vector<Cursor>& cursors = cursors_;
  cursors.clear();
  for (const TouchedObject& touch : event.touches) {
    const Users* const users = users_of(touch.object);
    if (users == nullptr) continue;
    for (std::size_t thread = 0; thread < users->by_thread.size(); ++thread) {
      const std::vector<std::size_t>& uses = users->by_thread[thread];
      if (thread != event.thread && !uses.empty()) cursors.push_back({uses.data(), uses.data() + uses.size()});
    }
  }
  Past past{clock_before(event), {}};
  // Of each thread, so many events have nothing to add: they happen before `event` by its own thread, or before an
  // event whose reversal comes first (the execution it leads to shows them again).
  Clock& settled = settled_;
  settled = past.clock;
  const auto is_settled = [&](std::size_t one) {
    const ThreadIndex thread = events_[one].thread;
    return thread < settled.size() && settled[thread] >= rank_[one];
  };
  while (true) {
    std::erase_if(cursors, [&](const Cursor& c) { return c.first == c.last || is_settled(c.last[-1]); });
    if (cursors.empty()) return past;
    std::size_t latest = 0;
    for (const Cursor& cursor : cursors) latest = std::max(latest, cursor.last[-1]);
    for (Cursor& cursor : cursors)
      if (cursor.last[-1] == latest) --cursor.last;
    const Event& earlier = events_[latest];
    if (!dependent(earlier, event)) continue;
    join(past.clock, clocks_[latest]);
    if (never_enabled_together(earlier, event)) continue;
    past.races.push_back(latest);
    if (!event.conditional && !may_have_to_wait(earlier, event)) join(settled, clocks_[latest]);
  }
}

std::vector<std::uint64_t> Trace::fingerprint() const {
  std::vector<std::uint64_t> words;
  for (std::size_t thread = 0; thread < by_thread_.size(); ++thread) {
    const std::vector<std::size_t>& own = by_thread_[thread];
    if (own.empty()) continue;
    words.push_back((std::uint64_t{thread} << 32) | own.size());
    for (const std::size_t at : own) {
      words.push_back(events_[at].choice);
      Clock clock = clocks_[at];
      while (!clock.empty() && clock.back() == 0) clock.pop_back();
      words.push_back(clock.size());
      words.insert(words.end(), clock.begin(), clock.end());
    }
  }
  return words;
}

}  // namespace heddle::explore
