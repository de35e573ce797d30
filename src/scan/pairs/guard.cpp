// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/pairs/guard.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace heddle::scan {
namespace {

/// How often a function holds a lock at the variable.
struct Holding {
  std::uint32_t all = 0, in_main = 0;
  void add(bool is_main) {
    ++all;
    in_main += is_main ? 1 : 0;
  }
};

struct Votes {
  std::uint64_t functions = 0;  ///< in thousandths
  std::uint32_t locations = 0, by_main = 0, only_main = 0;
};

struct Ballot {
  std::map<FunctionId, std::uint32_t> places;  ///< accesses in threads
  std::map<std::pair<std::uint32_t, FunctionId>, Holding> held;
  std::uint32_t in_threads = 0, locations = 0;
};

Ballot cast(std::span<const MemberGroup> groups) {
  Ballot out;
  for (const MemberGroup& group : groups) {
    if (group.is_free) continue;
    const bool is_main = group.in->side.phase == Phase::Main;
    out.locations += static_cast<std::uint32_t>(group.members.size());
    for (const Candidate& c : group.members) {
      if (!is_main) ++out.places[c.function], ++out.in_threads;
      for (const NamedLock& lock : group.in->locks) out.held[{lock.name, c.function}].add(is_main);
      for (const std::uint32_t kind : group.in->kinds) out.held[{kind, c.function}].add(is_main);
    }
  }
  return out;
}

std::map<std::uint32_t, Votes> count(const Ballot& ballot) {
  std::map<std::uint32_t, Votes> out;
  for (const auto& [at, holding] : ballot.held) {
    const auto known = ballot.places.find(at.second);
    const std::uint32_t all = (known == ballot.places.end() ? 0 : known->second) + holding.in_main;
    Votes& votes = out[at.first];
    votes.functions += 1000ULL * holding.all / all;
    votes.locations += holding.all;
    votes.by_main += holding.in_main;
    votes.only_main += known == ballot.places.end() ? 1 : 0;
  }
  return out;
}

}  // namespace

Guard infer_guard(std::span<const MemberGroup> groups, const LockNames& names) {
  const Ballot ballot = cast(groups);
  Guard out;
  out.locations = ballot.locations;
  std::tuple<std::uint64_t, std::uint32_t, bool> most;
  for (const auto& [lock, votes] : count(ballot)) {
    const std::tuple weight(votes.functions, votes.locations, names[lock].kind != LockNames::Name::Kind::Alike);
    if (weight <= most) continue;
    most = weight;
    out.lock = lock;
    out.guarded = votes.locations;
    out.share = static_cast<std::int64_t>(
        std::max<std::uint64_t>(votes.functions / (ballot.places.size() + votes.only_main),
                                1000ULL * votes.locations / (ballot.in_threads + votes.by_main)));
  }
  return out;
}

bool Guard::is_lacking(const MemberGroup& group) const {
  return std::ranges::find(group.in->locks, lock, &NamedLock::name) == group.in->locks.end() &&
         !std::ranges::binary_search(group.in->kinds, lock);
}

VariableFacts accesses_without(const Guard& guard, std::span<const MemberGroup> groups) {
  constexpr std::size_t most = 10;
  VariableFacts out;
  if (guard.lock == LockNames::none) return out;
  std::vector<Candidate> without;
  for (const MemberGroup& group : groups)
    if (guard.is_lacking(group) && !group.is_free)
      without.insert(without.end(), group.members.begin(), group.members.end());
  const auto place = [](const Candidate& c) { return std::pair(c.function, c.own); };
  std::ranges::sort(without, {}, [&](const Candidate& c) { return std::tuple(place(c), c); });
  const auto rest = std::ranges::unique(without, {}, place);
  without.erase(rest.begin(), rest.end());
  if (without.size() > most) out.more_without = static_cast<std::uint32_t>(without.size() - most);
  without.resize(std::min(without.size(), most));
  out.without_guard = std::move(without);
  return out;
}

}  // namespace heddle::scan
