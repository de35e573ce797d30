// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/candidates.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace heddle::scan {
namespace {

/// What accesses that can meet have in common.
struct BucketKey {
  enum class Kind : std::uint8_t { Member, Global, Path, Class };
  Kind kind = Kind::Member;
  std::uint32_t what = 0;
  std::int32_t offset = 0;
  friend auto operator<=>(const BucketKey&, const BucketKey&) = default;
};

struct BucketHash {
  std::size_t operator()(const BucketKey& k) const {
    const std::uint64_t h =
        (static_cast<std::uint64_t>(k.what) << 32 | static_cast<std::uint32_t>(k.offset)) * 0x9e3779b97f4a7c15ULL;
    return (h ^ h >> 29) + static_cast<std::size_t>(k.kind);
  }
};

struct Occurrence {
  BucketKey key;
  Candidate access;
};

struct Group {
  std::vector<NamedLock> locks;
  std::vector<Candidate> members;
  bool is_write = false, is_atomic = false;
  Phase phase = Phase::Boot;
  std::uint32_t threads = 0;  ///< see Reach::may_overlap
  GlobalId global;            ///< the one its memory lies in, if that is known
};

/// The accesses behind a group of a summary.
class Leaves {
 public:
  explicit Leaves(const std::vector<FunctionSummary>& summaries) : summaries_(summaries) {}

  /// Calls `found(function, own, offset)` for each, with the offset from the group's node.
  template <class Found>
  void each(FunctionId function, std::uint32_t group, Found found) {
    seen_.clear();
    left_ = most;
    descend(function, summaries_[function.index()].groups[group], 0, found, 0);
  }

 private:
  static constexpr std::size_t most = 20000;
  static constexpr int deepest = 60;

  template <class Found>
  void descend(FunctionId function, const AccessGroup& group, std::int32_t offset, Found& found, int depth) {
    const FunctionSummary& summary = summaries_[function.index()];
    for (std::uint32_t i = group.first_own; i < group.first_own + group.own_count; ++i) {
      if (left_ == 0) return;
      --left_;
      found(function, i, offset + summary.own[i].offset);
    }
    if (depth == deepest) return;
    for (std::uint32_t i = group.first_inherited; i < group.first_inherited + group.inherited_count; ++i) {
      const InheritedAccesses& row = summary.inherited[i];
      const AccessGroup* theirs = summaries_[row.callee.index()].find_group(row.group);
      const std::uint64_t name = row.group ^ static_cast<std::uint64_t>(row.callee.index()) << 32 ^
                                 static_cast<std::uint32_t>(offset + row.offset);
      if (theirs != nullptr && seen_.insert(name).second)
        descend(row.callee, *theirs, offset + row.offset, found, depth + 1);
    }
  }

  const std::vector<FunctionSummary>& summaries_;
  std::unordered_set<std::uint64_t> seen_;
  std::size_t left_ = 0;
};

class Pairing {
 public:
  Pairing(const ScanInput& input, const std::vector<FunctionSummary>& summaries, Reach& reach,
          const alias::AliasFacts& aliases, LockNames& names, const CandidateOptions& options)
      : in_(input),
        summaries_(summaries),
        reach_(reach),
        aliases_(aliases),
        names_(names),
        options_(options),
        keys_(input.program) {}

  Suspicions run() {
    // First which variables are interesting, then their accesses: most are never written, or one thread's.
    collect([&](const BucketKey& key, const Candidate& c, const OwnAccess& own) {
      std::uint8_t& flags = flags_[key];
      if (own.mode != AccessMode::Read) flags |= is_written;
      if (c.phase == Phase::Thread) flags |= in_thread;
      ++out_.stats.accesses;
    });
    out_.stats.buckets = flags_.size();
    collect([&](const BucketKey& key, const Candidate& c, const OwnAccess&) {
      if (flags_.at(key) == (is_written | in_thread)) occurrences_.push_back({key, c});
    });
    std::ranges::sort(occurrences_, [](const Occurrence& a, const Occurrence& b) {
      return std::tie(a.key, a.access) < std::tie(b.key, b.access);
    });
    for (std::size_t i = 0; i < occurrences_.size();) {
      std::size_t end = i;
      while (end < occurrences_.size() && occurrences_[end].key == occurrences_[i].key) ++end;
      bucket(i, end);
      i = end;
    }
    std::ranges::sort(out_.all, is_before);
    count_filters();
    if (out_.all.size() > options_.most) {
      out_.dropped = out_.all.size() - options_.most;
      out_.all.resize(options_.most);
    }
    return std::move(out_);
  }

 private:
  static constexpr std::uint8_t is_written = 1, in_thread = 2;

  static bool is_before(const Suspicion& a, const Suspicion& b) {
    return std::tuple(-a.rank, std::cref(a.first), std::cref(a.second)) <
           std::tuple(-b.rank, std::cref(b.first), std::cref(b.second));
  }

  template <class Found>
  void collect(Found found) {
    Leaves leaves(summaries_);
    for (std::uint32_t f = 0; f < summaries_.size(); ++f) {
      const FunctionSummary& summary = summaries_[f];
      const auto& visits = reach_.visits[f];
      // A thread's entry is nobody's callee: what depends on its parameters is final there.
      const Visit& in_a_thread = visits[static_cast<std::size_t>(Phase::Thread)];
      const bool is_final = (in_a_thread.reached && !in_a_thread.caller) || reach_.is_wide_target[f];
      if (std::ranges::none_of(visits, [](const Visit& v) { return v.reached; })) continue;
      for (std::uint32_t g = is_final ? 0 : summary.dependent; g < summary.groups.size(); ++g) {
        const AccessGroup& group = summary.groups[g];
        leaves.each(FunctionId(f), g, [&](FunctionId leaf, std::uint32_t own, std::int32_t offset) {
          const OwnAccess& access = summaries_[leaf.index()].own[own];
          key_of(summary, group, leaf, access, offset);
          add_class_key(summary, group, leaf, access);
          if (found_keys_.empty()) return;
          for (const Phase phase : {Phase::Boot, Phase::Main, Phase::Thread}) {
            if (!visits[static_cast<std::size_t>(phase)].reached ||
                (phase == Phase::Boot && !summary.thread_states[group.threads].spawned))
              continue;
            if (g < summary.dependent && phase != Phase::Thread && !reach_.is_wide_target[f]) continue;
            for (const BucketKey& key : found_keys_)
              found(key, Candidate{FunctionId(f), g, offset, phase, leaf, own}, access);
          }
        });
      }
    }
  }

  /// Where an access meets others, into found_keys_.
  void key_of(const FunctionSummary& summary, const AccessGroup& group, FunctionId leaf, const OwnAccess& access,
              std::int32_t offset) {
    found_keys_.clear();
    const Node* root = &summary.nodes[group.node.index()];
    std::int64_t inside = offset;
    while (root->kind == NodeKind::Element) {
      inside += root->offset;
      root = &summary.nodes[root->parent.index()];
    }
    const bool is_global = root->kind == NodeKind::Global;
    skip_class_ =
        is_global && access.mode == AccessMode::Read && in_.program.globals[GlobalId(root->index)].is_constant;
    if (skip_class_) return;
    MemberKey member = access.key;
    if (!member.record) member = keys_.at(root->type, inside);
    if (member.record) {
      found_keys_.push_back({BucketKey::Kind::Member, member.record.index(), member.offset});
      if (is_block(leaf, access)) add_members_behind(root->type, inside, member, access.size);
      skip_class_ = true;
    } else if (is_global) {
      found_keys_.push_back({BucketKey::Kind::Global, root->index, 0});
    } else if (const std::uint32_t path = names_.fixed(summary, {group.node, 0}); path != LockNames::none) {
      found_keys_.push_back({BucketKey::Kind::Path, path, offset});
    }
  }

  /// Whether an access may touch more than one member: copies of structs, memset.
  [[nodiscard]] bool is_block(FunctionId leaf, const OwnAccess& access) const {
    const Opcode opcode = in_.program.functions[leaf].instructions[access.instruction].opcode;
    return access.size > 1 && opcode != Opcode::Load && opcode != Opcode::Store;
  }

  void add_members_behind(TypeId type, std::int64_t inside, MemberKey first, std::uint32_t bytes) {
    constexpr std::uint32_t farthest = 256;
    if (!type) {
      type = first.record;
      inside = first.offset;
    }
    bytes = std::min({bytes, farthest, static_cast<std::uint32_t>(in_.program.types[type].size_bytes())});
    for (std::uint32_t i = 1; i < bytes; ++i)
      if (const MemberKey next = keys_.at(type, inside + i); next.record && next != first) {
        found_keys_.push_back({BucketKey::Kind::Member, next.record.index(), next.offset});
        first = next;
      }
  }

  /// Plain numbers and characters have no member to go by: a pointer to one meets what its class of pointers leads to.
  void add_class_key(const FunctionSummary& summary, const AccessGroup& group, FunctionId leaf,
                     const OwnAccess& access) {
    if (skip_class_) return;
    const Node* root = &summary.nodes[group.node.index()];
    while (root->kind == NodeKind::Element) root = &summary.nodes[root->parent.index()];
    const alias::Place place = root->kind == NodeKind::Global
                                   ? aliases_.place({}, Operand::global(GlobalId(root->index)))
                                   : place_of(leaf, access.instruction);
    if (place.valid()) found_keys_.push_back({BucketKey::Kind::Class, place.cls.index(), 0});
  }

  static Phase phase_of(Phase phase) { return phase == Phase::Boot ? Phase::Main : phase; }

  [[nodiscard]] const OwnAccess& own(const Candidate& c) const { return summaries_[c.function.index()].own[c.own]; }
  [[nodiscard]] const Visit& visit(const Candidate& c) const {
    return reach_.visits[c.holder.index()][static_cast<std::size_t>(c.phase)];
  }

  std::uint32_t live_at(const Candidate& c) {
    const FunctionSummary& summary = summaries_[c.holder.index()];
    return reach_.live_at(summary, visit(c), summary.groups[c.group].threads, names_);
  }

  std::vector<NamedLock> locks_of(const Candidate& c) {
    const FunctionSummary& summary = summaries_[c.holder.index()];
    const AccessGroup& group = summary.groups[c.group];
    std::vector<NamedLock> out = names_.held_at(summary, group, c.offset);
    for (const NamedLock& held : visit(c).locks) {
      const bool is_released = std::ranges::any_of(summary.locksets[group.lockset].released, [&](Lvalue lock) {
        return names_.fixed(summary, lock) == held.name;
      });
      const auto at = std::ranges::lower_bound(out, held.name, {}, &NamedLock::name);
      if (!is_released && (at == out.end() || at->name != held.name)) out.insert(at, held);
    }
    return out;
  }

  [[nodiscard]] GlobalId global_of(const Candidate& c) const {
    const FunctionSummary& summary = summaries_[c.holder.index()];
    const Node* node = &summary.nodes[summary.groups[c.group].node.index()];
    while (node->kind == NodeKind::Element) node = &summary.nodes[node->parent.index()];
    return node->kind == NodeKind::Global ? GlobalId(node->index) : GlobalId{};
  }

  void bucket(std::size_t begin, std::size_t end) {
    ++out_.stats.shared_buckets;
    in_class_ = occurrences_[begin].key.kind == BucketKey::Kind::Class;
    is_large_ = in_class_ && end - begin > options_.large_partition;
    if (in_class_ && end - begin > options_.hopeless_partition) return;
    groups_.clear();
    for (std::size_t i = begin; i < end; ++i) add_to_group(occurrences_[i].access);
    infer_guard();
    std::uint32_t listed = 0, found = 0;
    const std::size_t first = out_.all.size();
    for (std::size_t a = 0; a < groups_.size(); ++a)
      for (std::size_t b = a; b < groups_.size(); ++b)
        if (may_race(groups_[a], groups_[b])) pair_groups(a, b, listed, found);
    // The best pair speaks for the variable; the others make room for other variables.
    std::ranges::sort(out_.all.begin() + static_cast<std::ptrdiff_t>(first), out_.all.end(), is_before);
    constexpr std::int64_t next_of_same_variable = 250;
    for (std::size_t i = first; i < out_.all.size(); ++i) {
      out_.all[i].left_out = found - listed;
      out_.all[i].rank -= next_of_same_variable * static_cast<std::int64_t>(i - first);
    }
    out_.stats.pairs += found;
  }

  void add_to_group(const Candidate& c) {
    Group group;
    group.locks = locks_of(c);
    group.is_write = own(c).mode != AccessMode::Read;
    group.is_atomic = own(c).is_atomic;
    group.phase = phase_of(c.phase);
    group.threads = group.phase == Phase::Thread ? visit(c).roots : live_at(c);
    group.global = global_of(c);
    for (Group& known : groups_)
      if (known.is_write == group.is_write && known.is_atomic == group.is_atomic && known.phase == group.phase &&
          known.threads == group.threads && known.global == group.global && known.locks == group.locks) {
        // One location counts once, however many ways lead there.
        const bool is_known = std::ranges::any_of(
            known.members, [&](const Candidate& m) { return m.function == c.function && m.own == c.own; });
        if (!is_known) known.members.push_back(c);
        return;
      }
    group.members.push_back(c);
    groups_.push_back(std::move(group));
  }

  [[nodiscard]] bool may_race(const Group& a, const Group& b) const {
    if (!a.is_write && !b.is_write) return false;
    if (a.is_atomic && b.is_atomic) return false;
    if (a.global && b.global && (a.global != b.global || in_class_))
      return false;  // the same global has a bucket of its own
    return reach_.may_overlap(a.phase, a.threads, b.phase, b.threads) && !share_a_lock(a.locks, b.locks);
  }

  void infer_guard() {
    std::map<std::uint32_t, std::uint32_t> holders;
    locations_ = 0;
    for (const Group& group : groups_) {
      locations_ += static_cast<std::uint32_t>(group.members.size());
      for (const NamedLock& lock : group.locks) holders[lock.name] += static_cast<std::uint32_t>(group.members.size());
    }
    guard_ = LockNames::none;
    guarded_ = 0;
    for (const auto& [lock, count] : holders)
      if (count > guarded_) {
        guard_ = lock;
        guarded_ = count;
      }
  }

  void pair_groups(std::size_t a, std::size_t b, std::uint32_t& listed, std::uint32_t& found) {
    const Group& x = groups_[a].is_write ? groups_[a] : groups_[b];
    const Group& y = groups_[a].is_write ? groups_[b] : groups_[a];
    std::uint32_t here = 0;
    for (const Candidate& first : x.members)
      for (const Candidate& second : y.members) {
        if (a == b && second < first) continue;
        constexpr std::uint32_t enough = 20000;
        if (found > enough) return;
        if (!may_alias(first, second)) continue;
        ++found;
        if (listed >= options_.pairs_of_a_bucket || here >= options_.pairs_of_two_groups || !is_new_pair(first, second))
          continue;
        ++here;
        ++listed;
        out_.all.push_back(suspicion(x, y, first, second));
      }
  }

  bool is_new_pair(const Candidate& a, const Candidate& b) {
    auto x = std::pair(a.function.index(), a.own);
    auto y = std::pair(b.function.index(), b.own);
    if (y < x) std::swap(x, y);
    return pairs_.emplace(std::pair(x, y), true).second;
  }

  [[nodiscard]] alias::Place place_of(const Candidate& c) const { return place_of(c.function, own(c).instruction); }

  [[nodiscard]] alias::Place place_of(FunctionId id, std::uint32_t instruction) const {
    const Function& function = in_.program.functions[id];
    const Instruction& code = function.instructions[instruction];
    const auto operands = function.operands_of(code);
    switch (code.opcode) {
      case Opcode::Store: return aliases_.place(id, operands[1]);
      case Opcode::Load:
      case Opcode::AtomicRmw:
      case Opcode::CmpXchg: return aliases_.place(id, operands[0]);
      default: return {};
    }
  }

  [[nodiscard]] bool may_alias(const Candidate& a, const Candidate& b) const {
    const alias::Place x = place_of(a), y = place_of(b);
    return !x.valid() || !y.valid() || aliases_.may_alias(x, y);
  }

  Suspicion suspicion(const Group& x, const Group& y, const Candidate& first, const Candidate& second) {
    Suspicion out{first, second, {}, guard_, guarded_, locations_, 0, 0};
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
    if (root_x == std::pair(NodeKind::Formal, std::uint8_t{0}) && root_y == root_x && x.phase == y.phase &&
        x.threads == y.threads && reach_.root_sets[x.threads].size() == 1 &&
        reach_.roots[reach_.root_sets[x.threads][0]].owns_argument)
      out.doubts.push_back(Doubt::OwnArgument);
    if (is_large_) out.doubts.push_back(Doubt::LargePartition);
    if (x.phase == Phase::Main || y.phase == Phase::Main) out.doubts.push_back(Doubt::BootUpThread);
    if (x.phase == y.phase && x.threads == y.threads && reach_.root_sets[x.threads].size() <= 1)
      out.doubts.push_back(Doubt::SameEntry);
    if (guard_ == LockNames::none) out.doubts.push_back(Doubt::NeverLocked);
    if (hold_same_kind(first, second)) out.doubts.push_back(Doubt::SameKindOfLock);
    out.rank = rank(out, x, y);
    return out;
  }

  /// Locks that cannot be compared by name, but are the same member of the same struct.
  [[nodiscard]] bool hold_same_kind(const Candidate& a, const Candidate& b) const {
    const auto kinds = [&](const Candidate& c) {
      std::vector<std::pair<TypeId, std::int32_t>> out;
      const FunctionSummary& s = summaries_[c.holder.index()];
      for (const HeldLock& held : s.locksets[s.groups[c.group].lockset].acquired)
        if (const TypeId type = s.nodes[held.lock.node.index()].type) out.emplace_back(type, held.lock.offset);
      return out;
    };
    const auto x = kinds(a), y = kinds(b);
    return std::ranges::any_of(x, [&](const auto& kind) { return std::ranges::find(y, kind) != y.end(); });
  }

  [[nodiscard]] std::int64_t rank(const Suspicion& s, const Group& x, const Group& y) const {
    std::int64_t out = 0;
    if (s.guard != LockNames::none && s.locations > 0) {
      const std::int64_t share = 1000 * s.guarded / s.locations;
      out += share;
      // A lock that nearly everybody takes: the one who does not is suspicious, and more so the more others there are.
      if (share >= 500 && s.guarded >= 2) out += 500 + std::min<std::int64_t>(s.guarded, 50) * 10;
    }
    if (x.is_write && y.is_write) out += 60;
    // Memory is freed by helpers that everybody uses: which object it is, the path rarely tells.
    if (own(s.first).mode == AccessMode::Free || own(s.second).mode == AccessMode::Free) out -= 400;
    if (x.locks.empty() != y.locks.empty()) out += 120;
    for (const Doubt doubt : s.doubts) switch (doubt) {
        case Doubt::ThreadLocalAllocation: out -= 1500; break;
        case Doubt::OwnArgument: out -= 1500; break;
        case Doubt::LargePartition: out -= 600; break;
        case Doubt::BootUpThread: out -= 80; break;
        case Doubt::SameEntry: out -= 60; break;
        case Doubt::NeverLocked: out -= 700; break;
        case Doubt::SameKindOfLock: out -= 900; break;
      }
    return out;
  }

  void count_filters() {
    std::vector<const Suspicion*> left;
    for (const Suspicion& s : out_.all) left.push_back(&s);
    for (const Doubt doubt : {Doubt::ThreadLocalAllocation, Doubt::OwnArgument, Doubt::LargePartition,
                              Doubt::BootUpThread, Doubt::SameEntry, Doubt::NeverLocked, Doubt::SameKindOfLock}) {
      std::erase_if(left, [&](const Suspicion* s) { return std::ranges::find(s->doubts, doubt) != s->doubts.end(); });
      out_.stats.left_after.emplace_back(doubt, left.size());
    }
  }

  const ScanInput& in_;
  const std::vector<FunctionSummary>& summaries_;
  Reach& reach_;
  const alias::AliasFacts& aliases_;
  LockNames& names_;
  const CandidateOptions& options_;
  MemberKeys keys_;
  std::unordered_map<BucketKey, std::uint8_t, BucketHash> flags_;  ///< only looked up
  std::vector<Occurrence> occurrences_;
  std::vector<Group> groups_;
  std::vector<BucketKey> found_keys_;
  bool skip_class_ = false, in_class_ = false, is_large_ = false;
  std::uint32_t guard_ = 0, guarded_ = 0, locations_ = 0;
  using Place = std::pair<std::uint32_t, std::uint32_t>;
  std::map<std::pair<Place, Place>, bool> pairs_;
  Suspicions out_;
};

}  // namespace

std::vector<Step> way_to(const std::vector<FunctionSummary>& summaries, const Candidate& c) {
  std::vector<Step> way;
  std::unordered_set<std::uint64_t> seen;
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
      const AccessGroup* theirs = summaries[row.callee.index()].find_group(row.group);
      const std::uint64_t name = row.group ^ static_cast<std::uint64_t>(row.callee.index()) << 32 ^
                                 static_cast<std::uint32_t>(offset + row.offset);
      if (theirs == nullptr || !seen.insert(name).second) continue;
      way.push_back({function, row.instruction});
      if (self(self, row.callee, *theirs, offset + row.offset)) return true;
      way.pop_back();
    }
    return false;
  };
  search(search, c.holder, summaries[c.holder.index()].groups[c.group], 0);
  return way;
}

std::string_view to_text(Doubt doubt) {
  switch (doubt) {
    case Doubt::ThreadLocalAllocation: return "thread-local allocation";
    case Doubt::OwnArgument: return "own argument";
    case Doubt::LargePartition: return "large partition";
    case Doubt::BootUpThread: return "boot-up thread";
    case Doubt::SameEntry: return "same entry";
    case Doubt::NeverLocked: return "never locked";
    case Doubt::SameKindOfLock: return "same kind of lock";
  }
  return "";
}

Suspicions find_suspicions(const ScanInput& input, const std::vector<FunctionSummary>& summaries, Reach& reach,
                           const alias::AliasFacts& aliases, LockNames& names, const CandidateOptions& options) {
  return Pairing(input, summaries, reach, aliases, names, options).run();
}

}  // namespace heddle::scan
