// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/pairs/occurrences.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace heddle::scan {
namespace {

constexpr std::uint32_t none = ~0U;

std::uint64_t hash_of(std::uint32_t bucket, std::uint32_t circumstances, std::uint32_t access) {
  return mixed(std::uint64_t{access} << 32 | bucket, circumstances);
}

Operand address_of(const Function& function, const OwnAccess& access) {
  const Instruction& code = function.instructions[access.instruction];
  const auto operands = code.is_call() ? function.arguments_of(code) : function.operands_of(code);
  return access.address < operands.size() ? operands[access.address] : Operand{};
}

}  // namespace

alias::Place place_of(const Program& program, const alias::AliasFacts& aliases, FunctionId id,
                      const OwnAccess& access) {
  return aliases.place(id, address_of(program.functions[id], access));
}

alias::AliasFacts::GivenPlaces given_to(const Program& program, const alias::AliasFacts& aliases, FunctionId id,
                                        const OwnAccess& access) {
  return aliases.given(id, address_of(program.functions[id], access));
}

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

Occurrences::Occurrences(const ScanInput& input, const std::vector<FunctionSummary>& summaries, const Reach& reach,
                         const alias::AliasFacts& aliases, LockNames& names, CircumstanceTable& circumstances,
                         std::uint64_t hopeless_class)
    : in_(input), summaries_(summaries), reach_(reach), aliases_(aliases), names_(names), keys_(input.program) {
  std::uint32_t accesses = 0;
  for (const FunctionSummary& summary : summaries) {
    first_access_.push_back(accesses);
    find_twins(summary, accesses);
    accesses += static_cast<std::uint32_t>(summary.own.size());
  }
  bucket_of_.assign(accesses, none);
  contexts_.emplace_back();
  collect(circumstances, hopeless_class);
  sort_rows(hopeless_class);
}

void Occurrences::find_twins(const FunctionSummary& summary, std::uint32_t first) {
  if (std::ranges::none_of(summary.groups, &AccessGroup::is_variant)) return;
  std::map<std::tuple<std::uint32_t, AccessKind, std::int32_t>, std::uint32_t> known;
  for (std::uint32_t i = 0; i < summary.own.size(); ++i) {
    const OwnAccess& own = summary.own[i];
    const auto [at, is_new] = known.try_emplace({own.instruction, own.kind, own.offset}, first + i);
    if (!is_new) twins_[first + i] = at->second;
  }
}

void Occurrences::list(const Bucket& bucket, std::vector<Occurrence>& out) const {
  out.clear();
  for (std::uint64_t i = bucket.first; i < bucket.first + bucket.count; ++i) {
    const Row& row = rows_[order_[i]];
    const Context& context = contexts_[row.context];
    const auto function =
        static_cast<std::size_t>(std::ranges::upper_bound(first_access_, row.access) - first_access_.begin() - 1);
    out.push_back({{context.holder, context.group, row.offset, context.phase, FunctionId(function),
                    row.access - first_access_[function]},
                   row.circumstances});
  }
}

void Occurrences::collect(CircumstanceTable& circumstances, std::uint64_t hopeless_class) {
  GroupLeaves leaves(summaries_);
  for (std::uint32_t f = 0; f < summaries_.size(); ++f) {
    const FunctionSummary& summary = summaries_[f];
    if (!reach_.is_reached(FunctionId(f))) continue;
    std::vector<Phase> phases;
    for (std::uint32_t g = counts_for_itself(f) ? 0 : summary.dependent; g < summary.groups.size(); ++g) {
      const AccessGroup& group = summary.groups[g];
      const bool is_state = g < summary.dependent && is_own_state(f, group);
      list_phases(f, g, phases);
      if (phases.empty() || (is_state && summary.nodes[group.node.index()].depth == 0)) continue;
      const std::uint64_t same = is_state ? 0 : circumstances.of_all(FunctionId(f), g, phases);
      leaves.each(FunctionId(f), g, same, [&](FunctionId leaf, std::uint32_t own, std::int32_t offset) {
        const OwnAccess& access = summaries_[leaf.index()].own[own];
        if (is_state && access.kind == AccessKind::Free) return false;
        const bool is_settled = find_buckets(summary, group, leaf, own, offset);
        for (const std::uint32_t number : found_) {
          Use& use = uses_[number];
          use.is_written |= access.kind != AccessKind::Read;
          use.in_thread |= is_thread(phases.back());
          use.ways += phases.size();
          all_accesses_ += phases.size();
          if (use.key.kind == BucketKey::Kind::Class && use.ways > hopeless_class) continue;
          for (const Phase phase : phases)
            add(number, circumstances.of(FunctionId(f), g, phase, offset), first_access_[leaf.index()] + own, offset,
                {FunctionId(f), g, phase});
        }
        return is_settled;
      });
      cut_groups_ += leaves.is_cut() ? 1 : 0;
    }
  }
  slots_ = {};
}

/// Whether what depends on its parameters is final there: a thread's entry and main are called with what nobody sees.
bool Occurrences::counts_for_itself(std::uint32_t function) const {
  return std::ranges::any_of(reach_.visits[function], &Visit::is_root) || reach_.is_wide_target[function] ||
         reach_.ends_states[function];
}

/// Those in which accesses of a group are made beside other threads, or perhaps.
void Occurrences::list_phases(std::uint32_t function, std::uint32_t group, std::vector<Phase>& out) const {
  const FunctionSummary& summary = summaries_[function];
  const bool is_final = group >= summary.dependent || reach_.is_wide_target[function] || reach_.ends_states[function];
  out.clear();
  for (const Phase phase : all_phases) {
    const Visit& visit = reach_.visit(FunctionId(function), phase);
    if (visit.reached && (is_final || visit.is_root) && may_hold(summary.groups[group].when, visit.passed) &&
        (phase != Phase::Boot || summary.thread_states[summary.groups[group].threads].spawned))
      out.push_back(phase);
  }
}

/// What a thread does to the object that it ran, when it ends it (assumption `thread-states`).
bool Occurrences::is_own_state(std::uint32_t function, const AccessGroup& group) const {
  if (!in_.assumptions.thread_states || !reach_.ends_states[function] || reach_.is_wide_target[function]) return false;
  const Node* node = &summaries_[function].nodes[group.node.index()];
  while (node->parent) node = &summaries_[function].nodes[node->parent.index()];
  return node->kind == NodeKind::Formal && node->index == 0;
}

/// Once for each bucket, access and circumstances.
void Occurrences::add(std::uint32_t bucket, std::uint32_t circumstances, std::uint32_t access, std::int32_t offset,
                      const Context& context) {
  slots_.make_room(rows_.size(), [&](std::uint32_t number) {
    const Row& row = rows_[number - 1];
    return hash_of(row.bucket, row.circumstances, row.access);
  });
  std::uint32_t& slot = slots_.find(hash_of(bucket, circumstances, access), [&](std::uint32_t number) {
    const Row& row = rows_[number - 1];
    return row.access == access && row.circumstances == circumstances && row.bucket == bucket;
  });
  if (slot != 0) return;
  slot = static_cast<std::uint32_t>(rows_.size() + 1);
  std::uint32_t& known = last_context_[static_cast<std::size_t>(context.phase)];
  if (contexts_[known] != context) {
    known = static_cast<std::uint32_t>(contexts_.size());
    contexts_.push_back(context);
  }
  rows_.push_back({bucket, circumstances, access, known, offset});
  ++uses_[bucket].rows;
}

void Occurrences::sort_rows(std::uint64_t hopeless_class) {
  for (const Use& use : uses_) {
    if (!use.is_written || !use.in_thread)
      unshared_.push_back({use.key, use.is_written});
    else if (use.key.kind == BucketKey::Kind::Class && use.ways > hopeless_class)
      ++hopeless_;
    else
      buckets_.push_back({use.key, use.ways, 0, use.rows});
  }
  std::ranges::sort(buckets_, {}, &Bucket::key);
  std::ranges::sort(unshared_, {}, &Unshared::key);
  std::vector<std::uint64_t> next(uses_.size(), ~0ULL);
  std::uint64_t rows = 0;
  for (Bucket& bucket : buckets_) {
    bucket.first = next[bucket_ids_.at(bucket.key)] = rows;
    rows += bucket.count;
  }
  order_.resize(rows);
  for (std::uint32_t i = 0; i < rows_.size(); ++i)
    if (std::uint64_t& to = next[rows_[i].bucket]; to != ~0ULL) order_[to++] = i;
}

std::uint32_t Occurrences::bucket(const BucketKey& key) {
  const auto [at, is_new] = bucket_ids_.try_emplace(key, static_cast<std::uint32_t>(uses_.size()));
  if (is_new) uses_.push_back({.key = key});
  return at->second;
}

/// Where an access meets others, into found_. Whether that is so for whoever leads there, and nobody counts the ways.
bool Occurrences::find_buckets(const FunctionSummary& summary, const AccessGroup& group, FunctionId leaf,
                               std::uint32_t own, std::int32_t offset) {
  found_.clear();
  const OwnAccess& access = summaries_[leaf.index()].own[own];
  const Node* root = &summary.nodes[group.node.index()];
  std::int64_t inside = offset;
  std::int64_t step = 0;
  while (root->kind == NodeKind::Element) {
    step = std::gcd(step, std::int64_t{root->stride});
    inside = offset_in_parent(*root, inside, in_.assumptions.pointer_arithmetic);
    root = &summary.nodes[root->parent.index()];
  }
  const bool is_global = root->kind == NodeKind::Global;
  if (is_global && access.kind == AccessKind::Read && in_.program.globals[GlobalId(root->index)].is_constant)
    return true;
  std::uint32_t& known = bucket_of_[first_access_[leaf.index()] + own];
  if (known != none) {
    found_.push_back(known);
    return true;
  }
  if (in_.assumptions.pointer_arithmetic) step = 0;
  const MemberKey member = access.key.record ? access.key : keys_.at(root->type, inside);
  if (member.record) {
    found_.push_back(bucket({BucketKey::Kind::Member, member.record.index(), member.offset}));
    const bool is_several = add_members_behind(root->type, inside, member, access) || step != 0;
    add_members_by_steps(root->type, inside, step, access);
    if (!in_.assumptions.typed_memory)
      add_class(*root, leaf, access);
    else if (access.key.record && !is_several)
      known = found_.front();
    return known != none;
  }
  if (is_global)
    found_.push_back(bucket({BucketKey::Kind::Global, root->index, 0}));
  else if (const std::uint32_t path = names_.path(summary, {group.node, 0}); path != LockNames::none)
    found_.push_back(bucket({BucketKey::Kind::Path, path, offset}));
  add_members_by_steps(root->type, inside, step, access);
  add_class(*root, leaf, access);
  return false;
}

/// The other members that an access touches: copies of structs, memset, free, and one load of several members. Whether
/// there are any.
bool Occurrences::add_members_behind(TypeId type, std::int64_t inside, MemberKey first, const OwnAccess& access) {
  if (!type) {
    type = first.record;
    inside = first.offset;
  }
  const auto whole = static_cast<std::int64_t>(in_.program.types[type].size_bytes());
  // Behind the end come its neighbours in an array, with the same members.
  std::int64_t bytes = access.size == 0 || access.size > whole ? whole : access.size;
  if (access.size == 0 && inside >= 0 && inside < whole) bytes = whole - inside + (keys_.has_tail(type) ? 1 : 0);
  // What is copied into an array stays there.
  if (access.size == 0 && access.kind != AccessKind::Free && in_.assumptions.typed_memory)
    bytes = std::min(bytes, keys_.rest_of_array(type, inside));
  if (bytes <= 1) return false;
  bool is_several = false;
  for (const MemberKey& next : keys_.members(type, inside, inside + bytes)) {
    if (next == first) continue;
    is_several = true;
    add_member(next);
  }
  return is_several;
}

/// A pointer that was moved by a variable distance may lie at any whole number of steps in the object.
void Occurrences::add_members_by_steps(TypeId type, std::int64_t inside, std::int64_t step, const OwnAccess& access) {
  if (step == 0 || !type) return;
  const auto whole = static_cast<std::int64_t>(in_.program.types[type].size_bytes());
  const std::int64_t bytes = access.size == 0 ? whole : std::max<std::int64_t>(access.size, 1);
  const auto add_between = [&](std::int64_t from, std::int64_t to) {
    for (const MemberKey& member : keys_.members(type, from, to)) add_member(member);
  };
  if (step <= bytes) return add_between(0, whole);
  for (std::int64_t at = (inside % step + step) % step; at < whole; at += step)
    add_between(at, std::min(at + bytes, whole));
}

void Occurrences::add_member(MemberKey member) {
  const std::uint32_t number = bucket({BucketKey::Kind::Member, member.record.index(), member.offset});
  if (std::ranges::find(found_, number) == found_.end()) found_.push_back(number);
}

/// Plain numbers and characters have no member to go by: a pointer to one meets what its class of pointers leads to.
void Occurrences::add_class(const Node& root, FunctionId leaf, const OwnAccess& access) {
  alias::Place place;
  switch (root.kind) {
    case NodeKind::Global: place = aliases_.place({}, Operand::global(GlobalId(root.index))); break;
    case NodeKind::Local: place = aliases_.place(leaf, Operand::value(ValueId(root.index))); break;
    case NodeKind::Hidden:
      if (const auto known = in_.hidden_places.find(root.index); known != in_.hidden_places.end())
        place = known->second;
      break;
    default: place = place_of(in_.program, aliases_, leaf, access); break;
  }
  const auto add = [&](alias::Place each) {
    if (each.valid()) found_.push_back(bucket({BucketKey::Kind::Class, each.object.index(), 0}));
  };
  const auto given = given_to(in_.program, aliases_, leaf, access);
  if (given.empty()) return add(place);
  std::ranges::for_each(given.arguments, add);
  std::ranges::for_each(given.parameters, add);
}

}  // namespace heddle::scan
