// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/pairs/bucket_groups.h"

namespace heddle::scan {

using race::Separation;
using race::SeparationReason;

BucketGroups::BucketGroups(const ScanFacts& scanned, Histories histories)
    : scanned_(scanned),
      circumstances_(scanned.input, scanned.summaries, scanned.reach, scanned.names, histories),
      places_(scanned.input.program, scanned.summaries, scanned.aliases, scanned.own_objects),
      turns_(scanned.summaries, scanned.reach, scanned.preemption) {}

Occurrences BucketGroups::occurrences(std::uint64_t hopeless_class) {
  return {scanned_.input, scanned_.summaries, scanned_.reach, scanned_.aliases,
          scanned_.names, circumstances_,     hopeless_class};
}

void BucketGroups::take_up(const BucketKey& key, const std::vector<Occurrence>& accesses) {
  in_class_ = key.kind == BucketKey::Kind::Class;
  groups_.clear();
  group_ids_.clear();
  for (const Occurrence& one : accesses) {
    const OwnAccess& access = own_access(scanned_.summaries, one.access);
    const bool is_write = access.kind != AccessKind::Read;
    const bool is_free = access.kind == AccessKind::Free || access.size == 0;
    const auto [at, is_new] =
        group_ids_.try_emplace({one.circumstances, is_write, access.is_atomic, is_free}, groups_.size());
    if (is_new) groups_.push_back({&circumstances_[one.circumstances], is_write, access.is_atomic, is_free, {}});
    groups_[at->second].members.push_back(one.access);
    places_.find(one.access);
  }
}

std::optional<Separation> BucketGroups::separation(const MemberGroup& a, const MemberGroup& b) {
  if (const auto reason = plain_separation(a, b)) return Separation{*reason};
  return turns_.between(a.in->side, b.in->side);
}

std::optional<SeparationReason> BucketGroups::plain_separation(const MemberGroup& a, const MemberGroup& b) const {
  if (!a.is_write && !b.is_write) return SeparationReason::BothRead;
  if (a.is_atomic && b.is_atomic) return SeparationReason::BothAtomic;
  if (a.in->global && b.in->global && (a.in->global != b.in->global || in_class_))
    return SeparationReason::OtherObject;  // the same global has a bucket of its own
  // Each thread means its own by that name; only a pointer leads to another's.
  if (a.in->global && b.in->global && scanned_.input.program.globals[a.in->global].is_thread_local)
    return SeparationReason::OtherObject;
  if (!scanned_.reach.may_overlap(a.in->side, b.in->side)) return SeparationReason::NotParallel;
  if (share_a_lock(a.in->locks, b.in->locks)) return SeparationReason::CommonLock;
  return std::nullopt;
}

std::optional<Separation> BucketGroups::separation(const Candidate& a, const Candidate& b) {
  if (!AccessPlaces::may_meet(places_[a], places_[b])) return Separation{SeparationReason::OtherObject};
  return turns_.between(a, b);
}

}  // namespace heddle::scan
