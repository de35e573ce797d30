// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/pairs/candidates.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "scan/pairs/guard.h"
#include "scan/pairs/ranking.h"
#include "scan/pairs/taken_objects.h"
#include "scan/pairs/team_doubts.h"
#include "scan/pairs/turns.h"

namespace heddle::scan {
namespace {

using race::Separation;
using race::SeparationReason;

class Pairing {
 public:
  Pairing(const ScanFacts& scanned, const CandidateOptions& options, Histories histories = Histories::NotAsked)
      : in_(scanned.input),
        summaries_(scanned.summaries),
        reach_(scanned.reach),
        aliases_(scanned.aliases),
        names_(scanned.names),
        options_(options),
        circumstances_(scanned.input, scanned.summaries, scanned.reach, scanned.names, histories),
        dying_(scanned.dying),
        last_owner_(scanned.last_owner),
        wide_ways_(scanned.wide_ways),
        own_objects_(scanned.own_objects),
        teams_(scanned.input),
        taken_(scanned.input, scanned.summaries, scanned.reach),
        turns_(scanned.summaries, scanned.reach, scanned.preemption) {}

  /// Every pair of accesses of the buckets that one of the wanted accesses is in.
  std::vector<ConsideredCandidates> consider(const std::function<bool(const Candidate&)>& is_wanted) {
    const Occurrences occurrences(in_, summaries_, reach_, aliases_, names_, circumstances_, ~0U);
    std::vector<Occurrence> accesses;
    std::vector<ConsideredCandidates> out;
    for (const Occurrences::Bucket& one : occurrences.shared()) {
      occurrences.list(one, accesses);
      if (std::ranges::none_of(accesses, [&](const Occurrence& o) { return is_wanted(o.access); })) continue;
      in_class_ = one.key.kind == BucketKey::Kind::Class;
      make_groups(accesses);
      for (std::size_t a = 0; a < groups_.size(); ++a)
        for (std::size_t b = a; b < groups_.size(); ++b) list_pairs(a, b, is_wanted, out);
    }
    return out;
  }

  std::vector<Encounter> encounters(const Suspicions& suspicions, const std::vector<std::uint32_t>& asked) {
    const Occurrences occurrences(in_, summaries_, reach_, aliases_, names_, circumstances_, ~0U);
    occurrences_ = &occurrences;
    AskedPairs pairs;
    for (const std::uint32_t number : asked) pairs.add(*this, suspicions.all[number], number);
    std::vector<Occurrence> accesses;
    std::vector<Encounter> out;
    for (const Occurrences::Bucket& one : occurrences.shared()) {
      occurrences.list(one, accesses);
      std::erase_if(accesses, [&](const Occurrence& o) { return !pairs.has(occurrences.number_of(o.access)); });
      in_class_ = one.key.kind == BucketKey::Kind::Class;
      make_groups(accesses);
      for (std::size_t a = 0; a < groups_.size(); ++a)
        for (std::size_t b = a; b < groups_.size(); ++b)
          if (may_race(groups_[a], groups_[b])) list_encounters(groups_[a], groups_[b], pairs, out);
    }
    return out;
  }

  Suspicions run(const Stop& stop) {
    for (const Doubt doubt : {Doubt::ThreadLocalAllocation, Doubt::OwnArgument, Doubt::LargePartition,
                              Doubt::BootUpThread, Doubt::BeforeItsThreads, Doubt::SameEntry, Doubt::NeverLocked,
                              Doubt::EndedByCall, Doubt::DyingProgram, Doubt::LastOwner, Doubt::WideWays,
                              Doubt::SameKindOfLock, Doubt::OwnTurn, Doubt::BarrierBetween, Doubt::TakenOff})
      out_.stats.left_after.emplace_back(doubt, 0);
    const Occurrences occurrences(in_, summaries_, reach_, aliases_, names_, circumstances_,
                                  in_.assumptions.small_classes ? options_.hopeless_partition : ~0U);
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

  /// Suspicions by the numbers of their accesses.
  class AskedPairs {
   public:
    void add(const Pairing& pairing, const Suspicion& s, std::uint32_t number) {
      const std::uint32_t first = pairing.occurrences_->number_of(s.first);
      const std::uint32_t second = pairing.occurrences_->number_of(s.second);
      numbers_[std::minmax({first, second})].push_back(number);
      accesses_.insert({first, second});
    }
    [[nodiscard]] bool has(std::uint32_t access) const { return accesses_.contains(access); }
    [[nodiscard]] const std::vector<std::uint32_t>* find(std::uint32_t a, std::uint32_t b) const {
      const auto at = numbers_.find(std::minmax({a, b}));
      return at == numbers_.end() ? nullptr : &at->second;
    }

   private:
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> numbers_;
    std::set<std::uint32_t> accesses_;
  };

  void list_encounters(const MemberGroup& a, const MemberGroup& b, const AskedPairs& pairs,
                       std::vector<Encounter>& out) {
    for (const Candidate& first : a.members)
      for (const Candidate& second : b.members) {
        const auto* asked = pairs.find(occurrences_->number_of(first), occurrences_->number_of(second));
        if (asked == nullptr || !may_meet(first, second)) continue;
        for (const std::uint32_t number : *asked) out.push_back({number, a.in->history, b.in->history});
      }
  }

  [[nodiscard]] const OwnAccess& own(const Candidate& c) const { return summaries_[c.function.index()].own[c.own]; }
  [[nodiscard]] const Visit& visit(const Candidate& c) const {
    return reach_.visits[c.holder.index()][static_cast<std::size_t>(c.phase)];
  }

  void bucket(const Occurrences::Bucket& one, const std::vector<Occurrence>& accesses) {
    in_class_ = one.key.kind == BucketKey::Kind::Class;
    is_large_ = in_class_ && one.ways > options_.large_partition;
    key_ = one.key;
    make_groups(accesses);
    guard_ = infer_guard(groups_, names_);
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
    if (first < out_.all.size()) out_.variables.push_back(accesses_without(guard_, groups_));
    out_.stats.pairs += found;
    if (out_.all.size() > 4UL * options_.most) keep_the_first();
  }

  void pair_all_groups() {
    for (std::size_t a = 0; a < groups_.size(); ++a) {
      const GlobalId global = groups_[a].in->global;
      if ((global || by_global_.empty()) && counts_[global].found > enough_pairs) continue;
      if (!has_partner_without_its_locks(a)) continue;
      const std::vector<std::size_t>& others = partners(a);
      for (auto b = std::ranges::lower_bound(others, a); b != others.end(); ++b)
        if (may_race(groups_[a], groups_[*b])) pair_groups(a, *b);
    }
  }

  /// Thousands of threads have a few sets of locks between them: where all hold one lock, pairs are not looked at.
  [[nodiscard]] bool has_partner_without_its_locks(std::size_t a) {
    constexpr std::size_t few = 16;
    if (lock_sets_.size() > few) return true;
    const Circumstances& own = *groups_[a].in;
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
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      all_groups_.push_back(i);
      lock_sets_.try_emplace(groups_[i].in->lock_set, groups_[i].in);
      if (groups_[i].in->global)
        by_global_[groups_[i].in->global].push_back(i);
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
    return groups_[a].in->global ? by_global_.at(groups_[a].in->global) : all_groups_;
  }

  void list_pairs(std::size_t a, std::size_t b, const std::function<bool(const Candidate&)>& is_wanted,
                  std::vector<ConsideredCandidates>& out) {
    const std::optional<Separation> separated = separation(groups_[a], groups_[b]);
    for (const Candidate& first : groups_[a].members)
      for (const Candidate& second : groups_[b].members) {
        if ((a == b && second < first) || (!is_wanted(first) && !is_wanted(second))) continue;
        std::optional<Separation> reason = separated;
        if (!reason && !may_alias(first, second)) reason = Separation{SeparationReason::OtherObject};
        if (!reason) reason = turns_.between(first, second);
        const bool in_order = groups_[a].is_write;
        out.push_back({in_order ? first : second, in_order ? second : first, reason});
      }
  }

  void make_groups(const std::vector<Occurrence>& accesses) {
    groups_.clear();
    group_ids_.clear();
    for (const Occurrence& one : accesses) {
      const bool is_write = own(one.access).kind != AccessKind::Read;
      const bool is_atomic = own(one.access).is_atomic;
      const bool is_free = own(one.access).kind == AccessKind::Free || own(one.access).size == 0;
      const auto [at, is_new] =
          group_ids_.try_emplace({one.circumstances, is_write, is_atomic, is_free}, groups_.size());
      if (is_new) groups_.push_back({&circumstances_[one.circumstances], is_write, is_atomic, is_free, {}});
      groups_[at->second].members.push_back(one.access);
    }
  }

  [[nodiscard]] bool may_race(const MemberGroup& a, const MemberGroup& b) { return !separation(a, b); }

  [[nodiscard]] std::optional<Separation> separation(const MemberGroup& a, const MemberGroup& b) {
    if (const auto reason = plain_separation(a, b)) return Separation{*reason};
    return turns_.between(a.in->side, b.in->side);
  }

  [[nodiscard]] std::optional<SeparationReason> plain_separation(const MemberGroup& a, const MemberGroup& b) const {
    if (!a.is_write && !b.is_write) return SeparationReason::BothRead;
    if (a.is_atomic && b.is_atomic) return SeparationReason::BothAtomic;
    if (a.in->global && b.in->global && (a.in->global != b.in->global || in_class_))
      return SeparationReason::OtherObject;  // the same global has a bucket of its own
    // Each thread means its own by that name; only a pointer leads to another's.
    if (a.in->global && b.in->global && in_.program.globals[a.in->global].is_thread_local)
      return SeparationReason::OtherObject;
    if (!reach_.may_overlap(a.in->side, b.in->side)) return SeparationReason::NotParallel;
    if (share_a_lock(a.in->locks, b.in->locks)) return SeparationReason::CommonLock;
    return std::nullopt;
  }

  /// Of every location that does without the usual lock a most suspicious pair: it must not hide among the pairs of
  /// others.
  void list_outliers(std::uint32_t& listed) {
    if (guard_.lock == LockNames::none) return;
    const std::size_t enough = 4UL * options_.pairs_of_a_bucket;
    std::vector<Suspicion> found;
    std::vector<const MemberGroup*> holders;
    for (const MemberGroup& group : groups_)
      if (!guard_.is_lacking(group)) holders.push_back(&group);
    for (const MemberGroup& outlier : groups_) {
      if (found.size() >= enough) break;
      if (!guard_.is_lacking(outlier) || outlier.is_free) continue;
      const std::vector<const MemberGroup*> rivals = rivals_of(outlier, holders);
      for (const Candidate& member : outlier.members)
        for (const MemberGroup* other : rivals) {
          const auto partner =
              std::ranges::find_if(other->members, [&](const Candidate& c) { return may_meet(member, c); });
          if (partner == other->members.end()) continue;
          found.push_back(against(outlier, *other, member, *partner));
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
      if (may_race(outlier, *holder))
        ranked.emplace_back(-against(outlier, *holder, outlier.members[0], holder->members[0]).rank, holder);
    std::ranges::sort(ranked);  // groups stand in one row
    std::vector<const MemberGroup*> out;
    for (const auto& [rank, holder] : ranked) out.push_back(holder);
    return out;
  }

  /// The write first.
  Suspicion against(const MemberGroup& a, const MemberGroup& b, const Candidate& of_a, const Candidate& of_b) {
    return a.is_write ? suspicion(a, b, of_a, of_b) : suspicion(b, a, of_b, of_a);
  }

  void pair_groups(std::size_t a, std::size_t b) {
    const MemberGroup& x = groups_[a].is_write ? groups_[a] : groups_[b];
    const MemberGroup& y = groups_[a].is_write ? groups_[b] : groups_[a];
    // A variable is one global, or what only its member is known of.
    Count& of_variable = counts_[x.in->global ? x.in->global : y.in->global];
    std::uint32_t here = 0;
    const ByClass index(*this, x.members.size() > 1 ? y : MemberGroup{});
    for (const Candidate& first : x.members)
      for (const Candidate& second : index.is_empty() ? y.members : index.partners(*this, first)) {
        if (a == b && second < first) continue;
        if (of_variable.found > enough_pairs) return;
        if (!may_meet(first, second)) continue;
        ++of_variable.found;
        if (of_variable.listed >= options_.pairs_of_a_bucket || here >= options_.pairs_of_two_groups ||
            !is_new_pair(first, second) || is_one_free_too_many(first, second))
          continue;
        ++here;
        ++of_variable.listed;
        out_.all.push_back(suspicion(x, y, first, second));
      }
  }

  /// The accesses of a large group by class of pointers, so that those that never meet are not compared.
  class ByClass {
   public:
    ByClass(const Pairing& pairing, const MemberGroup& group) {
      constexpr std::size_t few = 32;
      if (group.members.size() <= few) return;
      for (const Candidate& c : group.members) {
        const alias::Place place = pairing.place_of(c);
        all_.push_back(c);
        if (place.valid())
          of_class_[place.object.index()].push_back(c);
        else
          anywhere_.push_back(c);
      }
      for (auto& [cls, members] : of_class_) members.insert(members.end(), anywhere_.begin(), anywhere_.end());
    }
    [[nodiscard]] bool is_empty() const { return all_.empty(); }
    [[nodiscard]] const std::vector<Candidate>& partners(const Pairing& pairing, const Candidate& c) const {
      const alias::Place place = pairing.place_of(c);
      if (!place.valid()) return all_;
      const auto at = of_class_.find(place.object.index());
      return at == of_class_.end() ? anywhere_ : at->second;
    }

   private:
    std::vector<Candidate> all_, anywhere_;
    std::map<std::uint32_t, std::vector<Candidate>> of_class_;
  };

  bool is_new_pair(const Candidate& a, const Candidate& b) {
    const auto [first, second] = std::minmax(occurrences_->number_of(a), occurrences_->number_of(b));
    return pairs_.insert(std::uint64_t{first} << 32 | second);
  }

  /// One place that frees a struct meets every access to every member of it.
  bool is_one_free_too_many(const Candidate& a, const Candidate& b) {
    for (const Candidate* c : {&a, &b})
      if (own(*c).kind == AccessKind::Free && key_.kind == BucketKey::Kind::Member &&
          ++frees_[{occurrences_->number_of(*c), key_.what}] > options_.pairs_of_a_free)
        return true;
    return false;
  }

  /// None for calls: they meet whatever has the same member.
  [[nodiscard]] alias::Place place_of(const Candidate& c) const {
    switch (in_.program.functions[c.function].instructions[own(c).instruction].opcode) {
      case Opcode::Load:
      case Opcode::Store:
      case Opcode::MemCopy:
      case Opcode::MemSet:
      case Opcode::AtomicRmw:
      case Opcode::CmpXchg: return scan::place_of(in_.program, aliases_, c.function, own(c));
      default: return {};
    }
  }

  /// The access goes to memory that no other thread can come to.
  [[nodiscard]] bool is_own(const Candidate& c) const {
    return own_objects_.has(scan::place_of(in_.program, aliases_, c.function, own(c)));
  }

  [[nodiscard]] bool may_alias(const Candidate& a, const Candidate& b) const {
    if (is_own(a) || is_own(b)) return false;
    const alias::Place x = place_of(a), y = place_of(b);
    return !x.valid() || !y.valid() || aliases_.may_alias(x, y);
  }

  [[nodiscard]] bool may_meet(const Candidate& a, const Candidate& b) {
    return may_alias(a, b) && !turns_.between(a, b);
  }

  Suspicion suspicion(const MemberGroup& x, const MemberGroup& y, const Candidate& first, const Candidate& second) {
    Suspicion out{first, second, {}, guard_.lock, guard_.guarded, guard_.locations, 0, 0, {}, 0, {}, false, false};
    const auto kind_of_root = [&](const Candidate& c) {
      const FunctionSummary& s = summaries_[c.holder.index()];
      const Node* node = &s.nodes[s.groups[c.group].node.index()];
      const std::uint8_t depth = node->depth;
      while (node->parent) node = &s.nodes[node->parent.index()];
      return std::pair(node->kind, depth);
    };
    const auto root_x = kind_of_root(first), root_y = kind_of_root(second);
    if (root_x.first == NodeKind::Fresh || root_y.first == NodeKind::Fresh || root_x.first == NodeKind::Local ||
        root_y.first == NodeKind::Local)
      out.doubts.push_back(Doubt::ThreadLocalAllocation);
    const bool by_argument = root_x == std::pair(NodeKind::Formal, std::uint8_t{0}) && root_y == root_x;
    if (const Root* root = only_root_of(x, y);
        root != nullptr && root->owns_argument && (by_argument || go_by_argument(*root, first, second)))
      out.doubts.push_back(Doubt::OwnArgument);
    if (is_large_) out.doubts.push_back(Doubt::LargePartition);
    if (x.in->side.phase == Phase::Main || y.in->side.phase == Phase::Main) out.doubts.push_back(Doubt::BootUpThread);
    if (is_early(first) || is_early(second)) out.doubts.push_back(Doubt::BeforeItsThreads);
    if (only_root_of(x, y) != nullptr) out.doubts.push_back(Doubt::SameEntry);
    if (guard_.lock == LockNames::none) out.doubts.push_back(Doubt::NeverLocked);
    if (reach_.overlap_by_exit_only(x.in->side, y.in->side)) out.doubts.push_back(Doubt::EndedByCall);
    if (is_dying(first) || is_dying(second)) out.doubts.push_back(Doubt::DyingProgram);
    if (is_last(first) || is_last(second)) out.doubts.push_back(Doubt::LastOwner);
    if (is_doubtful(first) || is_doubtful(second)) out.doubts.push_back(Doubt::WideWays);
    if (share_a_kind(x, y)) out.doubts.push_back(Doubt::SameKindOfLock);
    if (first.function == second.function) {
      if (teams_.go_by_share(first.function, own(first).instruction, own(second).instruction))
        out.doubts.push_back(Doubt::OwnTurn);
      else if (teams_.have_barrier_between(first.function, own(first).instruction, own(second).instruction))
        out.doubts.push_back(Doubt::BarrierBetween);
    }
    out.first_lacks_guard = guard_.is_lacking(x);
    out.second_lacks_guard = guard_.is_lacking(y);
    if (!is_usually_locked() && taken_.has(first) && taken_.has(second)) out.doubts.push_back(Doubt::TakenOff);
    weigh(out, x, y);
    return out;
  }

  /// Both sides are threads of one root, and no other's.
  [[nodiscard]] const Root* only_root_of(const MemberGroup& x, const MemberGroup& y) const {
    if (x.in->side.phase != y.in->side.phase || x.in->side.roots != y.in->side.roots) return nullptr;
    const std::vector<std::uint32_t>& roots = reach_.root_sets[x.in->side.roots];
    return roots.size() == 1 ? &reach_.roots[roots[0]] : nullptr;
  }

  /// Both use the element whose number the thread was given.
  [[nodiscard]] bool go_by_argument(const Root& root, const Candidate& first, const Candidate& second) const {
    return first.function == root.entry && second.function == root.entry &&
           teams_.go_by_parameter(root.entry, own(first).instruction, own(second).instruction);
  }

  /// Whether a thread that will start others makes the access before it does.
  [[nodiscard]] bool is_early(const Candidate& c) const {
    const FunctionSummary& summary = summaries_[c.holder.index()];
    if (!is_thread(c.phase) || summary.thread_states[summary.groups[c.group].threads].spawned) return false;
    if (visit(c).is_early || !summary.may_spawn) return visit(c).is_early;
    const std::vector<race::CallStep> way = way_to(summaries_, c);
    return !way.empty() && starts_threads_behind(summaries_, c.holder, way.front().instruction);
  }

  /// Main ends the program as a matter of course; other threads do so when something went wrong.
  bool is_dying(const Candidate& c) {
    if (!is_thread(c.phase)) return false;
    return visit(c).is_dying || (c.function == c.holder && dying_.at(c.function, own(c).instruction));
  }

  [[nodiscard]] bool is_last(const Candidate& c) const { return last_owner_.at(c.function, own(c).instruction); }

  [[nodiscard]] bool is_doubtful(const Candidate& c) const {
    return is_thread(c.phase) && wide_ways_.are_the_only_ones(c.function);
  }

  static bool share_a_kind(const MemberGroup& a, const MemberGroup& b) {
    return std::ranges::any_of(a.in->kinds,
                               [&](std::uint32_t k) { return std::ranges::binary_search(b.in->kinds, k); });
  }

  /// Most accesses hold one lock: who hands objects over would not need it.
  [[nodiscard]] bool is_usually_locked() const {
    return guard_.lock != LockNames::none && guard_.share >= 500 && guard_.guarded >= 2;
  }

  void weigh(Suspicion& s, const MemberGroup& x, const MemberGroup& y) const {
    // Where both hold it, or locks of its kind, it says nothing.
    if (s.guard != LockNames::none && s.locations > 0 && (s.first_lacks_guard || s.second_lacks_guard)) {
      add_reason(s, Weight::GuardShare, guard_.share);
      // A lock that nearly everybody takes: the one who does not is suspicious, and more so the more others there are.
      if (is_usually_locked()) add_reason(s, Weight::UsualLock, 500 + std::min<std::int64_t>(s.guarded, 50) * 10);
    }
    if (x.is_write && y.is_write) add_reason(s, Weight::TwoWrites, 60);
    // Memory is freed by helpers that everybody uses: which object it is, the path rarely tells.
    if (own(s.first).kind == AccessKind::Free || own(s.second).kind == AccessKind::Free)
      add_reason(s, Weight::Frees, -400);
    if (x.in->locks.empty() != y.in->locks.empty()) add_reason(s, Weight::OneSideLocks, 120);
    const auto is_main = [](const Candidate& c) { return !is_thread(c.phase); };
    if (s.guard != LockNames::none &&
        ((s.first_lacks_guard && is_main(s.first)) || (s.second_lacks_guard && is_main(s.second))))
      add_reason(s, Weight::MainWithoutLock, -600);
    for (const Doubt doubt : s.doubts) add_reason(s, doubt, points_of(doubt));
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

  const ScanInput& in_;
  const std::vector<FunctionSummary>& summaries_;
  Reach& reach_;
  const alias::AliasFacts& aliases_;
  LockNames& names_;
  const CandidateOptions& options_;
  CircumstanceTable circumstances_;
  DyingCode& dying_;
  const LastOwner& last_owner_;
  const WideWays& wide_ways_;
  const OwnObjects& own_objects_;
  TeamDoubts teams_;
  TakenObjects taken_;
  Turns turns_;
  std::vector<MemberGroup> groups_;
  std::map<std::tuple<std::uint32_t, bool, bool, bool>, std::size_t> group_ids_;
  bool in_class_ = false, is_large_ = false;
  struct Count {
    std::uint32_t listed = 0, found = 0;
  };
  std::map<GlobalId, Count> counts_;                         ///< of the bucket at hand, by global
  std::map<GlobalId, std::vector<std::size_t>> by_global_;   ///< its groups, with those of `everywhere_`
  std::vector<std::size_t> everywhere_, all_groups_;         ///< without a global; all
  std::map<std::uint32_t, const Circumstances*> lock_sets_;  ///< of the groups, with one that has it
  std::map<std::uint32_t, bool> meets_other_locks_;          ///< by set of locks: whether some group holds none of them
  BucketKey key_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> frees_;  ///< listed, by access and struct
  Guard guard_;
  const Occurrences* occurrences_ = nullptr;
  NumberSet pairs_;  ///< of access numbers
  Suspicions out_;
};

}  // namespace

std::vector<race::CallStep> way_to(const std::vector<FunctionSummary>& summaries, const Candidate& c) {
  std::vector<race::CallStep> way;
  NumberSet seen;
  constexpr std::size_t deepest = 60;
  const auto search = [&](auto& self, FunctionId function, const AccessGroup& group, std::int32_t offset) -> bool {
    const FunctionSummary& summary = summaries[function.index()];
    if (function == c.function && c.own >= group.first_own && c.own < group.first_own + group.own_count &&
        offset + summary.own[c.own].offset == c.offset) {
      way.push_back({function, summary.own[c.own].instruction});
      return true;
    }
    if (way.size() >= deepest) return false;
    for (std::uint32_t i = group.first_inherited; i < group.first_inherited + group.inherited_count; ++i) {
      const InheritedAccesses& row = summary.inherited[i];
      if (!seen.insert(GroupLeaves::name_of(row, offset))) continue;
      const AccessGroup* theirs = summaries[row.callee.index()].find_group(row.group);
      if (theirs == nullptr) continue;
      way.push_back({function, row.instruction});
      if (self(self, row.callee, *theirs, offset + row.offset)) return true;
      way.pop_back();
    }
    return false;
  };
  search(search, c.holder, summaries[c.holder.index()].groups[c.group], 0);
  return way;
}

Suspicions find_suspicions(const ScanFacts& scanned, const CandidateOptions& options, const Stop& stop) {
  return Pairing(scanned, options).run(stop);
}

std::vector<ConsideredCandidates> consider_pairs(const ScanFacts& scanned, const CandidateOptions& options,
                                                 const std::function<bool(const Candidate&)>& is_wanted) {
  return Pairing(scanned, options, Histories::Asked).consider(is_wanted);
}

std::vector<Encounter> find_encounters(const ScanFacts& scanned, const CandidateOptions& options,
                                       const Suspicions& suspicions, const std::vector<std::uint32_t>& asked) {
  return Pairing(scanned, options, Histories::Asked).encounters(suspicions, asked);
}

}  // namespace heddle::scan
