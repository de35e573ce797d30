// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BucketGroups: the accesses of a bucket, those with the same mode, locks and threads as one group, and what keeps them
// apart. Circumstances keep groups apart; where pointers lead, and who is masked, keeps single accesses apart.
//
//   struct conn.state    write, {conn.lock}, workers    read, {conn.lock}, listener    common-lock
//                        write, {conn.lock}, workers    read, {}, listener             may race
#pragma once
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "race/separation.h"
#include "scan/pairs/access_places.h"
#include "scan/pairs/candidates.h"
#include "scan/pairs/turns.h"

namespace heddle::scan {

class BucketGroups {
 public:
  BucketGroups(const ScanFacts& scanned, Histories histories);

  /// Every access of the program. Classes with more than `hopeless_class` are only counted.
  [[nodiscard]] Occurrences occurrences(std::uint64_t hopeless_class = ~0U);
  /// The bucket that is looked at from now on, and those of its accesses that count.
  void take_up(const BucketKey& key, const std::vector<Occurrence>& accesses);
  [[nodiscard]] const std::vector<MemberGroup>& all() const { return groups_; }

  [[nodiscard]] std::optional<race::Separation> separation(const MemberGroup& a, const MemberGroup& b);
  [[nodiscard]] bool may_race(const MemberGroup& a, const MemberGroup& b) { return !separation(a, b); }
  /// Of accesses that were taken up and whose groups may race.
  [[nodiscard]] std::optional<race::Separation> separation(const Candidate& a, const Candidate& b);
  [[nodiscard]] bool may_meet(const Candidate& a, const Candidate& b) { return !separation(a, b); }

  /// Of an access that was taken up.
  [[nodiscard]] AccessPlaces::Spot spot_of(const Candidate& c) const { return places_[c]; }

 private:
  [[nodiscard]] std::optional<race::SeparationReason> plain_separation(const MemberGroup& a,
                                                                       const MemberGroup& b) const;

  const ScanFacts& scanned_;
  CircumstanceTable circumstances_;
  AccessPlaces places_;
  Turns turns_;
  std::vector<MemberGroup> groups_;
  std::map<std::tuple<std::uint32_t, bool, bool, bool>, std::size_t> group_ids_;
  bool in_class_ = false;
};

}  // namespace heddle::scan
