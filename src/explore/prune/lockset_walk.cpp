// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/prune/lockset_walk.h"

#include <algorithm>

namespace heddle::explore {
namespace {

void add_lock(Way& way, const HeldLock& lock) {
  const auto at = std::ranges::lower_bound(way.locks, lock.address, {}, &HeldLock::address);
  if (at == way.locks.end() || at->address != lock.address)
    way.locks.insert(at, lock);
  else
    at->is_shared = at->is_shared && lock.is_shared;
}

bool is_at_most(const HeldLock& a, const HeldLock& b) {
  return a.address == b.address && (a.is_shared || !b.is_shared);
}

/// Whoever fears `a` need not fear `b`.
bool implies(const Way& a, const Way& b) {
  const auto is_in_b = [&](const HeldLock& lock) {
    const auto at = std::ranges::lower_bound(b.locks, lock.address, {}, &HeldLock::address);
    return at != b.locks.end() && is_at_most(lock, *at);
  };
  return std::ranges::all_of(a.locks, is_in_b) && std::ranges::includes(b.joined, a.joined);
}

}  // namespace

bool Way::has_joined(ThreadIndex thread) const { return std::ranges::binary_search(joined, thread); }

bool have_common_lock(const Way& a, const Way& b) {
  for (auto p = a.locks.begin(), q = b.locks.begin(); p != a.locks.end() && q != b.locks.end();) {
    if (p->address == q->address && (!p->is_shared || !q->is_shared)) return true;
    if (p->address <= q->address)
      ++p;
    else
      ++q;
  }
  return false;
}

Way behind(const Way& way, const LockUpdate& update) {
  Way result = way;
  for (const LockName& lock : update.acquired) add_lock(result, {lock.address, lock.region, false});
  std::erase_if(result.locks, [&](const HeldLock& lock) {
    return update.releases_anything || std::ranges::find(update.addresses, lock.address) != update.addresses.end() ||
           std::ranges::any_of(update.regions, [&](Region region) {
             return region == any_region || lock.region == any_region || region == lock.region;
           });
  });
  return result;
}

Way intersection(const Ways& ways) {
  if (ways.empty()) return {};
  Way all = ways.front();
  for (const Way& way : ways) {
    std::vector<HeldLock> locks;
    for (HeldLock lock : all.locks) {
      const auto at = std::ranges::lower_bound(way.locks, lock.address, {}, &HeldLock::address);
      if (at == way.locks.end() || at->address != lock.address) continue;
      lock.is_shared = lock.is_shared || at->is_shared;
      locks.push_back(lock);
    }
    all.locks = std::move(locks);
    std::erase_if(all.joined, [&](ThreadIndex thread) { return !way.has_joined(thread); });
  }
  return all;
}

void simplify(Ways& ways) {
  if (ways.size() < 2) return;
  Ways kept;
  for (const Way& way : ways) {
    if (std::ranges::any_of(kept, [&](const Way& other) { return implies(other, way); })) continue;
    std::erase_if(kept, [&](const Way& other) { return implies(way, other); });
    kept.push_back(way);
  }
  ways = std::move(kept);
  if (ways.size() > LocksetWalk::most_ways) ways = {intersection(ways)};
  std::ranges::sort(ways);
}

void LocksetWalk::acquire(const LockName& lock, bool is_shared) {
  for (Way& way : ways_) add_lock(way, {lock.address, lock.region, is_shared});
  simplify(ways_);
}

void LocksetWalk::release(std::uint64_t address) {
  for (Way& way : ways_) std::erase_if(way.locks, [&](const HeldLock& lock) { return lock.address == address; });
  simplify(ways_);
}

void LocksetWalk::release_region(Region region) {
  LockUpdate update;
  update.regions.push_back(region);
  for (Way& way : ways_) way = behind(way, update);
  simplify(ways_);
}

void LocksetWalk::join(ThreadIndex thread) {
  for (Way& way : ways_)
    if (!way.has_joined(thread)) way.joined.insert(std::ranges::upper_bound(way.joined, thread), thread);
  simplify(ways_);
}

Ways LocksetWalk::ways_behind(const LockUpdate& update) const {
  Ways result;
  for (const Way& way : ways_) result.push_back(behind(way, update));
  simplify(result);
  return result;
}

void LocksetWalk::begin(const Side* side) {
  Ways& update = updates_.emplace_back();
  if (side == nullptr) return;
  for (const LockUpdate& end : side->ends)
    for (const Way& way : ways_) update.push_back(behind(way, end));
}

void LocksetWalk::end() {
  if (updates_.empty()) return;
  ways_.insert(ways_.end(), updates_.back().begin(), updates_.back().end());
  updates_.pop_back();
  simplify(ways_);
}

}  // namespace heddle::explore
