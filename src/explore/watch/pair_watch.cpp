// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/watch/pair_watch.h"

#include <algorithm>

#include "base/contains.h"

namespace heddle::explore {

PairWatch::PairWatch(std::span<const AccessPair> suspected) {
  for (const AccessPair& pair : suspected) {
    sides_[pair.first].others.push_back(pair.second);
    if (pair.first != pair.second) sides_[pair.second].others.push_back(pair.first);
  }
}

void PairWatch::see(const Deed& deed, bool is_controlled, std::span<const std::uint32_t> knows) {
  const auto found = sides_.find(deed.key);
  if (found == sides_.end()) return;
  Side& side = found->second;
  side.makers.insert(deed.thread);
  if (side.others.empty() || !deed.is_certain) return;
  const Made now{deed.address, deed.size, knows[deed.thread], !only_reads(deed.kind), is_controlled};
  std::vector<AccessKey> met;
  for (const AccessKey other : side.others)
    if (lack_order(sides_.at(other), deed.thread, now, knows)) met.push_back(other);
  for (const AccessKey other : met) meet(deed.key, other);
  remember(side, deed.thread, now);
}

bool PairWatch::lack_order(const Side& other, ThreadIndex thread, const Made& now,
                           std::span<const std::uint32_t> knows) {
  for (std::size_t t = 0; t < other.by_thread.size(); ++t) {
    if (t == thread) continue;
    const std::uint32_t known = t < knows.size() ? knows[t] : 0;
    for (const Made& made : other.by_thread[t].made)
      if (made.epoch > known && (made.writes || now.writes) && !(made.is_controlled && now.is_controlled) &&
          overlap(Bytes{made.address, made.size}, Bytes{now.address, now.size}))
        return true;
  }
  return false;
}

/// The oldest one goes, unless the same bytes are there already.
void PairWatch::remember(Side& side, ThreadIndex thread, const Made& now) {
  if (side.by_thread.size() <= thread) side.by_thread.resize(thread + 1);
  Latest& latest = side.by_thread[thread];
  const auto same = std::ranges::find_if(
      latest.made, [&](const Made& made) { return made.address == now.address && made.size == now.size; });
  if (same != latest.made.end() && same->epoch != 0) {
    *same = now;
    return;
  }
  latest.made[latest.next] = now;
  latest.next = (latest.next + 1) % memory;
}

void PairWatch::meet(AccessKey a, AccessKey b) {
  if (a == no_access || b == no_access || !known_.insert(std::minmax(a, b)).second) return;
  const auto first = sides_.find(a), second = sides_.find(b);
  const bool is_suspected = first != sides_.end() && contains(first->second.others, b);
  (is_suspected ? suspected_ : others_).push_back({a, b});
  if (!is_suspected) return;
  std::erase(first->second.others, b);
  std::erase(second->second.others, a);
}

std::vector<AccessPair> PairWatch::met() const {
  std::vector<AccessPair> all = suspected_;
  all.insert(all.end(), others_.begin(), others_.end());
  return all;
}

const std::set<ThreadIndex>& PairWatch::makers(AccessKey access) const {
  static const std::set<ThreadIndex> nobody;
  const auto side = sides_.find(access);
  return side == sides_.end() ? nobody : side->second.makers;
}

}  // namespace heddle::explore
