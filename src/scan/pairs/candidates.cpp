// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/pairs/candidates.h"

#include <algorithm>
#include <map>

#include "scan/pairs/bucket_groups.h"
#include "scan/pairs/pair_doubts.h"
#include "scan/pairs/ranking.h"

namespace heddle::scan {
namespace {

class Pairing {
 public:
  Pairing(const ScanFacts& scanned, const CandidateOptions& options)
      : scanned_(scanned), options_(options), groups_(scanned, Histories::NotAsked), doubts_(scanned) {}

  Suspicions run(const Stop& stop) {
    for (const Doubt doubt :
         {Doubt::ThreadLocalAllocation, Doubt::OwnArgument, Doubt::LargePartition, Doubt::BootUpThread,
          Doubt::BeforeItsThreads, Doubt::SameEntry, Doubt::NeverLocked, Doubt::EndedByCall, Doubt::DyingProgram,
          Doubt::LastOwner, Doubt::WideWays, Doubt::SameKindOfLock, Doubt::OwnTurn, Doubt::BarrierBetween,
          Doubt::RunsOnce, Doubt::Signalled, Doubt::TakenOff, Doubt::OwnEvent, Doubt::OtherObject})
      out_.stats.left_after.emplace_back(doubt, 0);
    const Occurrences occurrences =
        groups_.occurrences(scanned_.input.assumptions.small_classes ? options_.hopeless_partition : ~0U);
    occurrences_ = &occurrences;
    out_.stats.accesses = occurrences.all_accesses();
    out_.stats.buckets = occurrences.all_buckets();
    out_.stats.cut_groups = occurrences.cut_groups();
    out_.stats.large_classes = occurrences.hopeless_buckets();
    out_.stats.shared_buckets = occurrences.shared().size() + occurrences.hopeless_buckets();
    std::vector<Occurrence> accesses;
    std::uint64_t done = 0;
    for (const Occurrences::Bucket& one : occurrences.shared()) {
      if (stop.is_asked("comparing accesses", done++, occurrences.shared().size())) break;
      occurrences.list(one, accesses);
      bucket(one, accesses);
    }
    std::ranges::sort(out_.all, is_before);
    spread_functions(out_.all);
    keep_the_first();
    std::ranges::sort(out_.all, is_before);
    return std::move(out_);
  }

 private:
  static constexpr std::uint32_t enough_pairs = 20000;  ///< of one variable: not counted any further

  void bucket(const Occurrences::Bucket& one, const std::vector<Occurrence>& accesses) {
    groups_.take_up(one.key, accesses);
    bucket_ = {one.key, infer_guard(groups_.all(), scanned_.names),
               one.key.kind == BucketKey::Kind::Class && one.ways > options_.large_partition};
    const std::size_t first = out_.all.size();
    counts_.clear();
    list_outliers(counts_[{}].listed);
    sort_by_global();
    pair_all_groups();
    std::uint32_t listed = 0, found = 0;
    for (const auto& [global, count] : counts_) {
      listed += count.listed;
      found += count.found;
    }
    std::ranges::sort(out_.all.begin() + static_cast<std::ptrdiff_t>(first), out_.all.end(), is_before);
    spread_variable(std::span(out_.all).subspan(first));
    for (std::size_t i = first; i < out_.all.size(); ++i) {
      out_.all[i].left_out = found - listed;
      count_filters(out_.all[i]);
      if (one.key.kind == BucketKey::Kind::Member) out_.all[i].record = TypeId(one.key.what);
      out_.all[i].variable = static_cast<std::uint32_t>(out_.variables.size());
    }
    if (first < out_.all.size()) out_.variables.push_back(accesses_without(bucket_.guard, groups_.all()));
    out_.stats.pairs += found;
    if (out_.all.size() > 4UL * options_.most) keep_the_first();
  }

  void pair_all_groups() {
    for (std::size_t a = 0; a < groups_.all().size(); ++a) {
      const GlobalId global = group(a).in->global;
      if ((global || by_global_.empty()) && counts_[global].found > enough_pairs) continue;
      if (!has_partner_without_its_locks(a)) continue;
      const std::vector<std::size_t>& others = partners(a);
      for (auto b = std::ranges::lower_bound(others, a); b != others.end(); ++b)
        if (groups_.may_race(group(a), group(*b))) pair_groups(a, *b);
    }
  }

  /// Thousands of threads have a few sets of locks between them: where all hold one lock, pairs are not looked at.
  [[nodiscard]] bool has_partner_without_its_locks(std::size_t a) {
    constexpr std::size_t few = 16;
    if (lock_sets_.size() > few) return true;
    const Circumstances& own = *group(a).in;
    const auto [at, is_new] = meets_other_locks_.try_emplace(own.lock_set, false);
    if (is_new)
      at->second = std::ranges::any_of(
          lock_sets_, [&](const auto& other) { return !share_a_lock(own.locks, other.second->locks); });
    return at->second;
  }

  /// Two globals are never one object: with thousands of the same struct, groups are looked at global by global.
  void sort_by_global() {
    by_global_.clear();
    lock_sets_.clear();
    meets_other_locks_.clear();
    everywhere_.clear();
    all_groups_.clear();
    for (std::size_t i = 0; i < groups_.all().size(); ++i) {
      all_groups_.push_back(i);
      lock_sets_.try_emplace(group(i).in->lock_set, group(i).in);
      if (group(i).in->global)
        by_global_[group(i).in->global].push_back(i);
      else
        everywhere_.push_back(i);
    }
    for (auto& [global, groups] : by_global_) {
      groups.insert(groups.end(), everywhere_.begin(), everywhere_.end());
      std::ranges::sort(groups);
    }
  }

  /// The groups that one may meet, ascending.
  [[nodiscard]] const std::vector<std::size_t>& partners(std::size_t a) const {
    return group(a).in->global ? by_global_.at(group(a).in->global) : all_groups_;
  }

  /// Of every location that does without the usual lock a most suspicious pair: it must not hide among the pairs of
  /// others.
  void list_outliers(std::uint32_t& listed) {
    if (bucket_.guard.lock == LockNames::none) return;
    const std::size_t enough = 4UL * options_.pairs_of_a_bucket;
    std::vector<Suspicion> found;
    std::vector<const MemberGroup*> holders;
    for (const MemberGroup& one : groups_.all())
      if (!bucket_.guard.is_lacking(one)) holders.push_back(&one);
    for (const MemberGroup& outlier : groups_.all()) {
      if (found.size() >= enough) break;
      if (!bucket_.guard.is_lacking(outlier) || outlier.is_free) continue;
      const std::vector<const MemberGroup*> rivals = rivals_of(outlier, holders);
      for (const Candidate& member : outlier.members)
        for (const MemberGroup* other : rivals) {
          const auto partner =
              std::ranges::find_if(other->members, [&](const Candidate& c) { return groups_.may_meet(member, c); });
          if (partner == other->members.end()) continue;
          found.push_back(doubts_.suspicion(bucket_, outlier, *other, member, *partner));
          break;
        }
    }
    // Of several ways to the same two places the most suspicious is shown.
    std::ranges::sort(found, is_before);
    for (Suspicion& s : found) {
      if (listed >= options_.pairs_of_a_bucket) return;
      if (!is_new_pair(s.first, s.second) || is_one_free_too_many(s.first, s.second)) continue;
      ++listed;
      out_.all.push_back(std::move(s));
    }
  }

  /// The groups that hold the usual lock and may race with one that does not, the most suspicious first.
  std::vector<const MemberGroup*> rivals_of(const MemberGroup& outlier,
                                            const std::vector<const MemberGroup*>& holders) {
    std::vector<std::pair<std::int64_t, const MemberGroup*>> ranked;
    for (const MemberGroup* holder : holders)
      if (groups_.may_race(outlier, *holder))
        ranked.emplace_back(-doubts_.suspicion(bucket_, outlier, *holder, outlier.members[0], holder->members[0]).rank,
                            holder);
    std::ranges::sort(ranked);  // groups stand in one row
    std::vector<const MemberGroup*> out;
    for (const auto& [rank, holder] : ranked) out.push_back(holder);
    return out;
  }

  void pair_groups(std::size_t a, std::size_t b) {
    const MemberGroup& x = group(a).is_write ? group(a) : group(b);
    const MemberGroup& y = group(a).is_write ? group(b) : group(a);
    // A variable is one global, or what only its member is known of.
    Count& of_variable = counts_[x.in->global ? x.in->global : y.in->global];
    std::uint32_t here = 0;
    const ByClass index(groups_, x.members.size() > 1 ? y : MemberGroup{});
    for (const Candidate& first : x.members)
      for (const Candidate& second : index.is_empty() ? y.members : index.partners(groups_, first)) {
        if (a == b && second < first) continue;
        if (of_variable.found > enough_pairs) return;
        if (!groups_.may_meet(first, second)) continue;
        ++of_variable.found;
        if (of_variable.listed >= options_.pairs_of_a_bucket || here >= options_.pairs_of_two_groups ||
            !is_new_pair(first, second) || is_one_free_too_many(first, second))
          continue;
        ++here;
        ++of_variable.listed;
        out_.all.push_back(doubts_.suspicion(bucket_, x, y, first, second));
      }
  }

  /// The accesses of a large group by class of pointers, so that those that never meet are not compared.
  class ByClass {
   public:
    ByClass(const BucketGroups& groups, const MemberGroup& group) {
      constexpr std::size_t few = 32;
      if (group.members.size() <= few) return;
      for (const Candidate& c : group.members) {
        all_.push_back(c);
        if (const AccessPlaces::Spot spot = groups.spot_of(c); spot == AccessPlaces::anywhere)
          anywhere_.push_back(c);
        else
          of_class_[spot].push_back(c);
      }
      for (auto& [cls, members] : of_class_) members.insert(members.end(), anywhere_.begin(), anywhere_.end());
    }
    [[nodiscard]] bool is_empty() const { return all_.empty(); }
    [[nodiscard]] const std::vector<Candidate>& partners(const BucketGroups& groups, const Candidate& c) const {
      const AccessPlaces::Spot spot = groups.spot_of(c);
      if (spot == AccessPlaces::anywhere) return all_;
      const auto at = of_class_.find(spot);
      return at == of_class_.end() ? anywhere_ : at->second;
    }

   private:
    std::vector<Candidate> all_, anywhere_;
    std::map<AccessPlaces::Spot, std::vector<Candidate>> of_class_;
  };

  bool is_new_pair(const Candidate& a, const Candidate& b) {
    const auto [first, second] = std::minmax(occurrences_->number_of(a), occurrences_->number_of(b));
    return pairs_.insert(std::uint64_t{first} << 32 | second);
  }

  /// One place that frees a struct meets every access to every member of it.
  bool is_one_free_too_many(const Candidate& a, const Candidate& b) {
    for (const Candidate* c : {&a, &b})
      if (own_access(scanned_.summaries, *c).kind == AccessKind::Free && bucket_.key.kind == BucketKey::Kind::Member &&
          ++frees_[{occurrences_->number_of(*c), bucket_.key.what}] > options_.pairs_of_a_free)
        return true;
    return false;
  }

  /// Counts a warning for every filter that leaves it, in order.
  void count_filters(const Suspicion& s) {
    for (auto& [doubt, left] : out_.stats.left_after) {
      if (std::ranges::find(s.doubts, doubt) != s.doubts.end()) return;
      ++left;
    }
  }

  /// Warnings are many, and few are read.
  void keep_the_first() {
    if (out_.all.size() <= options_.most) return;
    const auto end = out_.all.begin() + options_.most;
    std::ranges::nth_element(out_.all, end, is_before);
    out_.dropped += out_.all.size() - options_.most;
    out_.all.erase(end, out_.all.end());
  }

  [[nodiscard]] const MemberGroup& group(std::size_t number) const { return groups_.all()[number]; }

  const ScanFacts& scanned_;
  const CandidateOptions& options_;
  BucketGroups groups_;
  PairDoubts doubts_;
  BucketFacts bucket_;  ///< at hand
  struct Count {
    std::uint32_t listed = 0, found = 0;
  };
  std::map<GlobalId, Count> counts_;                         ///< of the bucket at hand, by global
  std::map<GlobalId, std::vector<std::size_t>> by_global_;   ///< its groups, with those of `everywhere_`
  std::vector<std::size_t> everywhere_, all_groups_;         ///< without a global; all
  std::map<std::uint32_t, const Circumstances*> lock_sets_;  ///< of the groups, with one that has it
  std::map<std::uint32_t, bool> meets_other_locks_;          ///< by set of locks: whether some group holds none of them
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> frees_;  ///< listed, by access and struct
  const Occurrences* occurrences_ = nullptr;
  NumberSet pairs_;  ///< of access numbers
  Suspicions out_;
};

}  // namespace

Suspicions find_suspicions(const ScanFacts& scanned, const CandidateOptions& options, const Stop& stop) {
  return Pairing(scanned, options).run(stop);
}

}  // namespace heddle::scan
