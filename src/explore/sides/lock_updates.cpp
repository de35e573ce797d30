// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/sides/lock_updates.h"

#include <algorithm>

namespace heddle::explore {
namespace {

template <class T>
bool add_once(std::vector<T>& to, const T& one) {
  if (std::ranges::find(to, one) != to.end()) return false;
  to.push_back(one);
  return true;
}

}  // namespace

/// Behind an unknown release it is held all the same; only what is written as (held ∪ acquired) \ released cannot say
/// so, and then it does not count.
void acquire(LockUpdate& state, const LockName& lock) {
  std::erase(state.addresses, lock.address);
  if (state.releases_anything || std::ranges::find(state.regions, lock.region) != state.regions.end()) return;
  add_once(state.acquired, lock);
}

void release(LockUpdate& state, const LockName& lock) {
  std::erase_if(state.acquired, [&](const LockName& held) { return held.address == lock.address; });
  add_once(state.addresses, lock.address);
}

void release_region(LockUpdate& state, Region region) {
  if (region == any_region) return release_anything(state);
  std::erase_if(state.acquired,
                [&](const LockName& held) { return held.region == region || held.region == any_region; });
  add_once(state.regions, region);
}

void release_anything(LockUpdate& state) {
  state.acquired.clear();
  state.releases_anything = true;
}

void append(LockUpdate& state, const LockUpdate& next) {
  if (next.releases_anything) release_anything(state);
  for (const Region region : next.regions) release_region(state, region);
  for (const std::uint64_t address : next.addresses) release(state, {address, any_region});
  for (const LockName& lock : next.acquired) acquire(state, lock);
}

bool meet(LockUpdate& into, const LockUpdate& other) {
  const std::size_t kept = std::erase_if(into.acquired, [&](const LockName& lock) {
    return std::ranges::find(other.acquired, lock) == other.acquired.end();
  });
  bool changed = kept != 0;
  for (const std::uint64_t address : other.addresses) changed = add_once(into.addresses, address) || changed;
  for (const Region region : other.regions) changed = add_once(into.regions, region) || changed;
  if (other.releases_anything && !into.releases_anything) changed = into.releases_anything = true;
  return changed;
}

}  // namespace heddle::explore
