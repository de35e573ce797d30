// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/pairs/asked_pairs.h"

#include <algorithm>
#include <map>
#include <set>

#include "scan/pairs/bucket_groups.h"

namespace heddle::scan {
namespace {

void list_pairs(BucketGroups& groups, const MemberGroup& a, const MemberGroup& b,
                const std::function<bool(const Candidate&)>& is_wanted, std::vector<ConsideredCandidates>& out) {
  const std::optional<race::Separation> separated = groups.separation(a, b);
  for (const Candidate& first : a.members)
    for (const Candidate& second : b.members) {
      if ((&a == &b && second < first) || (!is_wanted(first) && !is_wanted(second))) continue;
      const std::optional<race::Separation> reason = separated ? separated : groups.separation(first, second);
      out.push_back({a.is_write ? first : second, a.is_write ? second : first, reason});
    }
}

/// Suspicions by the numbers of their accesses.
class AskedPairs {
 public:
  explicit AskedPairs(const Occurrences& occurrences) : occurrences_(occurrences) {}

  void add(const Suspicion& s, std::uint32_t number) {
    const std::uint32_t first = occurrences_.number_of(s.first);
    const std::uint32_t second = occurrences_.number_of(s.second);
    numbers_[std::minmax({first, second})].push_back(number);
    accesses_.insert({first, second});
  }
  [[nodiscard]] bool has(const Candidate& c) const { return accesses_.contains(occurrences_.number_of(c)); }
  [[nodiscard]] const std::vector<std::uint32_t>* find(const Candidate& a, const Candidate& b) const {
    const auto at = numbers_.find(std::minmax({occurrences_.number_of(a), occurrences_.number_of(b)}));
    return at == numbers_.end() ? nullptr : &at->second;
  }

 private:
  const Occurrences& occurrences_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> numbers_;
  std::set<std::uint32_t> accesses_;
};

void list_encounters(BucketGroups& groups, const MemberGroup& a, const MemberGroup& b, const AskedPairs& pairs,
                     std::vector<Encounter>& out) {
  if (!groups.may_race(a, b)) return;
  for (const Candidate& first : a.members)
    for (const Candidate& second : b.members) {
      const auto* asked = pairs.find(first, second);
      if (asked == nullptr || !groups.may_meet(first, second)) continue;
      for (const std::uint32_t number : *asked) out.push_back({number, a.in->history, b.in->history});
    }
}

/// Each pair of groups once, a group with itself too.
template <typename Look>
void each_pair(const std::vector<MemberGroup>& groups, const Look& look) {
  for (auto a = groups.begin(); a != groups.end(); ++a)
    for (auto b = a; b != groups.end(); ++b) look(*a, *b);
}

}  // namespace

std::vector<ConsideredCandidates> consider_pairs(const ScanFacts& scanned,
                                                 const std::function<bool(const Candidate&)>& is_wanted) {
  BucketGroups groups(scanned, Histories::Asked);
  const Occurrences occurrences = groups.occurrences();
  std::vector<Occurrence> accesses;
  std::vector<ConsideredCandidates> out;
  for (const Occurrences::Bucket& one : occurrences.shared()) {
    occurrences.list(one, accesses);
    if (std::ranges::none_of(accesses, [&](const Occurrence& o) { return is_wanted(o.access); })) continue;
    groups.take_up(one.key, accesses);
    each_pair(groups.all(), [&](const auto& a, const auto& b) { list_pairs(groups, a, b, is_wanted, out); });
  }
  return out;
}

std::vector<Encounter> find_encounters(const ScanFacts& scanned, const Suspicions& suspicions,
                                       const std::vector<std::uint32_t>& asked) {
  BucketGroups groups(scanned, Histories::Asked);
  const Occurrences occurrences = groups.occurrences();
  AskedPairs pairs(occurrences);
  for (const std::uint32_t number : asked) pairs.add(suspicions.all[number], number);
  std::vector<Occurrence> accesses;
  std::vector<Encounter> out;
  for (const Occurrences::Bucket& one : occurrences.shared()) {
    occurrences.list(one, accesses);
    std::erase_if(accesses, [&](const Occurrence& o) { return !pairs.has(o.access); });
    groups.take_up(one.key, accesses);
    each_pair(groups.all(), [&](const auto& a, const auto& b) { list_encounters(groups, a, b, pairs, out); });
  }
  return out;
}

}  // namespace heddle::scan
