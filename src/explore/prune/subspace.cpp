// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/prune/subspace.h"

#include <algorithm>

namespace heddle::explore {
namespace {

constexpr std::size_t most_items = 20'000;  // behind the state, in one thread

bool is_read(const Deed& deed) { return deed.kind == DeedKind::Read || deed.kind == DeedKind::AtomicRead; }

bool is_write(const Deed& deed) {
  return deed.kind == DeedKind::Write || deed.kind == DeedKind::AtomicWrite || deed.kind == DeedKind::Free ||
         deed.kind == DeedKind::SyncReset;
}

bool is_deed(const StoryItem& item) { return item.kind == StoryItem::Kind::Deed; }

bool is_writing(const StoryItem& item) {
  return (is_deed(item) || item.kind == StoryItem::Kind::Told) && is_write(item.deed);
}

bool any_overlap(const std::vector<Variable>& a, const std::vector<Variable>& b) {
  return std::ranges::any_of(a, [&](const Variable& x) {
    return std::ranges::any_of(b, [&](const Variable& y) { return may_overlap(x, y); });
  });
}

}  // namespace

Subspace::Subspace(const Story& story, OtherSides& sides, std::size_t step, bool at_accesses)
    : story_(story),
      sides_(sides),
      step_(step),
      at_accesses_(at_accesses),
      rests_(story.threads()),
      accesses_(story.threads()),
      joined_(story.steps() - step) {
  for (ThreadIndex t = 0; t < story_.threads(); ++t) {
    rests_[t].begin = story_.first_from(t, step_);
    rests_[t].counts.resize(story_.of(t).size());
    if (story_.of(t).size() - rests_[t].begin > most_items) is_unknown_ = true;
  }
  if (!is_unknown_) settle_doubts();
  for (ThreadIndex t = 0; t < story_.threads() && !is_unknown_; ++t) walk(t);
  is_free_ = !is_unknown_ && !any_race();
}

// --- what threads may do

void Subspace::settle_doubts() {
  for (bool changed = true; changed && !is_unknown_;) {
    changed = false;
    for (ThreadIndex t = 0; t < rests_.size(); ++t) changed = collect(t) || changed;
    for (ThreadIndex t = 0; t < rests_.size(); ++t) changed = find_doubt(t) || changed;
  }
}

/// What the thread may write, with the doubts known so far; true if more branches count now.
bool Subspace::collect(ThreadIndex thread) {
  Rest& rest = rests_[thread];
  const std::vector<StoryItem>& items = story_.of(thread);
  rest.writes.clear();
  bool changed = false;
  for (std::size_t i = rest.begin; i < items.size(); ++i) {
    if (is_writing(items[i])) std::ranges::copy(variables_of(thread, i), std::back_inserter(rest.writes));
    if (items[i].kind != StoryItem::Kind::Begin) continue;
    if (!rest.counts[i] && is_doubtful(thread, i) && may_differ(items[i].side->condition, thread, i))
      rest.counts[i] = changed = true;
    if (rest.counts[i]) collect_side(thread, *items[i].side);
  }
  return changed;
}

void Subspace::collect_side(ThreadIndex thread, const Side& side) {
  if (side.may_do_anything) is_unknown_ = true;
  for (const SideAccess& access : side.accesses)
    if (access.is_write) rests_[thread].writes.push_back(variable_of(thread, access));
}

bool Subspace::find_doubt(ThreadIndex thread) {
  Rest& rest = rests_[thread];
  const std::vector<StoryItem>& items = story_.of(thread);
  const std::size_t before = rest.doubt;
  const bool before_argument = rest.argument_doubt;
  if (const Story::Birth& birth = story_.birth_of(thread); birth.creator != no_thread && birth.step >= step_)
    rest.argument_doubt = address_may_differ(birth.creator, birth.item);
  if (rest.argument_doubt) rest.doubt = std::min(rest.doubt, rest.begin);
  for (std::size_t i = rest.begin; i < std::min(items.size(), rest.doubt); ++i) {
    const Deed& deed = items[i].deed;
    const bool asks = is_deed(items[i]) && deed.key != no_access && sides_.is_answer(deed.key);
    const bool reads = is_deed(items[i]) && is_read(deed);
    if (items[i].is_chosen || asks || (reads && may_be_written(variables_of(thread, i), thread, i))) rest.doubt = i;
  }
  return rest.doubt != before || rest.argument_doubt != before_argument;
}

/// What the thread does here may rest on something else than it did.
bool Subspace::is_doubtful(ThreadIndex thread, std::size_t item) const {
  return rests_[thread].argument_doubt || item > rests_[thread].doubt;
}

bool Subspace::may_differ(const Origin& origin, ThreadIndex thread, std::size_t item) const {
  const Rest& rest = rests_[thread];
  if (!is_doubtful(thread, item)) return false;
  if (origin.everything || (origin.argument && rest.argument_doubt)) return true;
  if (origin.path || !origin.branches.empty())
    for (std::size_t i = rest.begin; i < item; ++i)
      if (rest.counts[i] && origin.depends_on_way_at(story_.of(thread)[i].side->branch)) return true;
  return std::ranges::any_of(origin.loads, [&](AccessKey load) { return load_may_differ(load, thread, item); });
}

bool Subspace::load_may_differ(AccessKey load, ThreadIndex thread, std::size_t item) const {
  const Rest& rest = rests_[thread];
  for (std::size_t i = rest.begin; i < item; ++i)
    if (rest.counts[i] &&
        std::ranges::any_of(story_.of(thread)[i].side->accesses, [&](const SideAccess& a) { return a.key == load; }))
      return true;
  for (const std::uint32_t at : story_.uses_of(thread, load)) {
    if (at < rest.begin || at >= item || !is_read(story_.of(thread)[at].deed)) continue;
    if (may_be_left_out(thread, at, item)) return true;
    const std::vector<Variable> read = variables_of(thread, at);
    if (may_be_written(read, thread, at) || wrote_in_doubt(read, thread, at)) return true;
  }
  return false;
}

/// The item stands on a side that need not be taken, and the branch is over where `later` is: an earlier instance of
/// the same access may be the latest there.
bool Subspace::may_be_left_out(ThreadIndex thread, std::size_t item, std::size_t later) const {
  const Rest& rest = rests_[thread];
  for (std::size_t i = rest.begin; i < item; ++i)
    if (rest.counts[i] && story_.of(thread)[i].end > item && story_.of(thread)[i].end < later) return true;
  return false;
}

/// Another thread may do so behind the state, at any time that it exists.
bool Subspace::may_be_written(const std::vector<Variable>& read, ThreadIndex reader, std::size_t item) const {
  for (ThreadIndex t = 0; t < rests_.size(); ++t)
    if (t != reader && !is_made_later(t, reader, item) && any_overlap(read, rests_[t].writes)) return true;
  return false;
}

bool Subspace::wrote_in_doubt(const std::vector<Variable>& read, ThreadIndex thread, std::size_t item) const {
  const Rest& rest = rests_[thread];
  const std::vector<StoryItem>& items = story_.of(thread);
  for (std::size_t i = rest.begin; i < item; ++i) {
    if (is_writing(items[i]) && is_doubtful(thread, i) && any_overlap(read, variables_of(thread, i))) return true;
    if (!rest.counts[i]) continue;
    for (const SideAccess& access : items[i].side->accesses)
      if (access.is_write && any_overlap(read, {variable_of(thread, access)})) return true;
  }
  return false;
}

bool Subspace::address_may_differ(ThreadIndex thread, std::size_t item) const {
  if (!is_doubtful(thread, item)) return false;
  const Deed& deed = story_.of(thread)[item].deed;
  const AccessKey key = deed.key;
  return key == no_access || is_kept_by_system(deed) || may_differ(sides_.origin_of(key), thread, item);
}

std::vector<Variable> Subspace::variables_of(ThreadIndex thread, std::size_t item) const {
  const Deed& deed = story_.of(thread)[item].deed;
  const bool differs = item >= rests_[thread].begin && address_may_differ(thread, item);
  std::vector<Variable> variables;
  const Bytes bytes = differs ? Bytes{} : Bytes{deed.address, std::max<std::uint64_t>(deed.size, 1)};
  if (is_kept_by_system(deed)) return {{any_region, differs ? system_objects : bytes}};
  if (deed.key == no_access) return {{any_region, bytes}};
  for (const Region region : sides_.regions_of(deed.key)) variables.push_back({region, bytes});
  return variables;
}

/// What the thread was given is another address only where that is in doubt.
Variable Subspace::variable_of(ThreadIndex thread, const SideAccess& access) const {
  const Bytes& behind = access.behind_argument;
  const std::optional<std::uint64_t>& argument = story_.birth_of(thread).argument;
  if (behind.size == 0 || !argument || rests_[thread].argument_doubt) return access.variable;
  return {access.variable.region, {*argument + behind.address, behind.size}};
}

// --- whether they may race

void Subspace::walk(ThreadIndex thread) {
  LocksetWalk locks{Way{}};
  const std::vector<StoryItem>& items = story_.of(thread);
  const Rest& rest = rests_[thread];
  std::uint32_t step = ~0U;
  for (std::size_t i = 0; i < items.size() && !is_unknown_; ++i) {
    const bool is_behind = i >= rest.begin;
    if (is_behind && items[i].step != step) {
      step = items[i].step;
      joined_[step - step_] = intersection(locks.ways()).joined;
    }
    switch (items[i].kind) {
      case StoryItem::Kind::Begin:
        if (is_behind && rest.counts[i]) walk_side(thread, i, locks);
        // Before the state it is history which side was taken.
        locks.begin(is_behind && rest.counts[i] ? items[i].side : nullptr);
        break;
      case StoryItem::Kind::End: locks.end(); break;
      case StoryItem::Kind::Told: break;
      case StoryItem::Kind::Deed: walk_deed(thread, i, locks); break;
    }
  }
}

void Subspace::walk_deed(ThreadIndex thread, std::size_t item, LocksetWalk& locks) {
  const StoryItem& one = story_.of(thread)[item];
  const Deed& deed = one.deed;
  // A lock that is given away is held while its bytes are accessed.
  if (one.in_section && uses_object(deed.kind)) is_unknown_ = true;  // a section that may have to wait
  const bool gives = deed.kind == DeedKind::Release || deed.kind == DeedKind::ReleaseShared;
  if (!gives) change_locks(thread, item, locks);
  const bool is_plain = deed.kind == DeedKind::Read || deed.kind == DeedKind::Write || deed.kind == DeedKind::Free ||
                        deed.kind == DeedKind::SyncReset;
  if (is_plain || is_atomic(deed.kind) || uses_object(deed.kind)) {
    Access access;
    access.variables = variables_of(thread, item);
    access.item = item;
    access.is_write = is_write(deed) || uses_object(deed.kind);
    access.is_atomic = !is_plain;
    access.is_object = uses_object(deed.kind);
    access.is_end = deed.kind == DeedKind::Free || deed.kind == DeedKind::SyncReset;
    access.is_behind = item >= rests_[thread].begin;
    access.epoch = story_.epoch_of(one.step);
    access.ways = number_of(locks.ways());
    add_access(thread, std::move(access));
  }
  if (item >= rests_[thread].begin) note_operation(thread, item, locks);
  if (gives) change_locks(thread, item, locks);
}

void Subspace::change_locks(ThreadIndex thread, std::size_t item, LocksetWalk& locks) {
  const Deed& deed = story_.of(thread)[item].deed;
  const bool differs = item >= rests_[thread].begin && address_may_differ(thread, item);
  switch (deed.kind) {
    case DeedKind::Acquire:
    case DeedKind::AcquireShared: {
      // A try need not have taken it, whatever it did here.
      if (!deed.is_lock || differs || (item >= rests_[thread].begin && sides_.is_answer(deed.key))) return;
      const std::vector<Region>& regions = sides_.regions_of(deed.key);
      const Region region = regions.size() == 1 ? regions.front() : any_region;
      return locks.acquire({deed.address, region}, deed.kind == DeedKind::AcquireShared);
    }
    case DeedKind::Release:
    case DeedKind::ReleaseShared:
      if (!deed.is_lock) return;
      locks.release(deed.address);
      if (differs)
        for (const Region region : sides_.regions_of(deed.key)) locks.release_region(region);
      return;
    case DeedKind::SyncReset: return locks.release(deed.address);
    case DeedKind::SectionBegin: return locks.acquire({section_lock, any_region});
    case DeedKind::SectionEnd:
    case DeedKind::SectionFailed: return locks.release(section_lock);
    case DeedKind::Join:
      if (!differs) locks.join(static_cast<ThreadIndex>(deed.address));
      return;
    default: return;
  }
}

void Subspace::walk_side(ThreadIndex thread, std::size_t item, const LocksetWalk& locks) {
  for (const SideAccess& one : story_.of(thread)[item].side->accesses) {
    Access access;
    access.variables = {variable_of(thread, one)};
    access.item = item;
    access.is_write = one.is_write;
    access.is_atomic = one.is_atomic;
    access.is_object = one.is_object;
    access.is_end = one.is_end;
    const Ways ways = locks.ways_behind(one.before);
    if (one.is_visible)
      operations_.push_back(
          {thread, access.variables.front(), one.is_write, one.is_object, one.takes, intersection(ways).joined});
    access.ways = number_of(ways);
    add_access(thread, std::move(access));
  }
}

/// What the thread did is in the events of its steps; here is what it may do in place of that.
void Subspace::note_operation(ThreadIndex thread, std::size_t item, const LocksetWalk& locks) {
  const StoryItem& one = story_.of(thread)[item];
  const Deed& deed = one.deed;
  const bool is_object = is_object_operation(deed);
  const bool is_memory = is_read(deed) || (is_write(deed) && deed.kind != DeedKind::SyncReset);
  const bool is_visible = is_object || is_atomic(deed.kind) || (is_memory && (one.in_section || at_accesses_));
  if (!is_visible || !address_may_differ(thread, item)) return;
  const bool takes = deed.kind == DeedKind::Acquire && deed.is_lock && !sides_.is_answer(deed.key);
  for (const Variable& variable : variables_of(thread, item))
    operations_.push_back(
        {thread, variable, is_object || is_write(deed), is_object, takes, intersection(locks.ways()).joined});
}

std::size_t Subspace::number_of(Ways ways) {
  const auto known = std::ranges::find(ways_.rbegin(), ways_.rend(), ways);
  if (known != ways_.rend()) return static_cast<std::size_t>(ways_.rend() - known) - 1;
  ways_.push_back(std::move(ways));
  return ways_.size() - 1;
}

/// Most accesses say nothing that an earlier one has not said.
void Subspace::add_access(ThreadIndex thread, Access access) {
  constexpr std::size_t looks = 64;
  std::vector<Access>& known = accesses_[thread];
  const auto says_the_same = [&](const Access& other) {
    const auto is_same = [](const Variable& a, const Variable& b) {
      return a.region == b.region && a.bytes.address == b.bytes.address && a.bytes.size == b.bytes.size;
    };
    return other.ways == access.ways && other.is_write == access.is_write && other.is_atomic == access.is_atomic &&
           other.is_behind == access.is_behind && other.is_object == access.is_object &&
           other.is_end == access.is_end && std::ranges::equal(other.variables, access.variables, is_same);
  };
  for (std::size_t i = known.size(), n = 0; i > 0 && n < looks; --i, ++n) {
    if (!says_the_same(known[i - 1])) continue;
    // The later one is the one to fear: threads may have been made meanwhile, and clocks have gone on.
    known[i - 1].item = access.item;
    known[i - 1].epoch = std::max(known[i - 1].epoch, access.epoch);
    return;
  }
  known.push_back(std::move(access));
}

/// `thread` did not exist when `creator` did its item: it, or one it descends from, was created behind that.
bool Subspace::is_made_later(ThreadIndex thread, ThreadIndex creator, std::size_t item) const {
  for (ThreadIndex at = thread; at != no_thread; at = story_.birth_of(at).creator) {
    const Story::Birth& birth = story_.birth_of(at);
    if (birth.creator == creator) return birth.item > item;
  }
  return false;
}

bool Subspace::may_race(ThreadIndex p, const Access& a, ThreadIndex q, const Access& b) const {
  if (!a.is_behind && !b.is_behind) return false;
  if ((!a.is_write && !b.is_write) || (a.is_atomic && b.is_atomic) || !any_overlap(a.variables, b.variables))
    return false;
  const auto is_before_all_of = [&](const Access& one, ThreadIndex thread, ThreadIndex other) {
    if (one.is_behind) return false;
    const Clock& clock = story_.clock_at(other, step_);
    return thread < clock.size() && clock[thread] >= one.epoch;
  };
  if (is_before_all_of(a, p, q) || is_before_all_of(b, q, p)) return false;
  if (is_made_later(q, p, a.item) || is_made_later(p, q, b.item)) return false;
  // A thread may wait for an object that another one ends, and hold nothing meanwhile.
  const bool locks_count = !(a.is_object && b.is_end) && !(b.is_object && a.is_end);
  for (const Way& x : ways_[a.ways])
    for (const Way& y : ways_[b.ways])
      if (!(locks_count && have_common_lock(x, y)) && !x.has_joined(q) && !y.has_joined(p)) return true;
  return false;
}

bool Subspace::any_race() const {
  for (ThreadIndex p = 0; p < accesses_.size(); ++p)
    for (ThreadIndex q = p + 1; q < accesses_.size(); ++q)
      for (const Access& a : accesses_[p])
        for (const Access& b : accesses_[q])
          if (may_race(p, a, q, b)) return true;
  return false;
}

}  // namespace heddle::explore
