// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/occurrences.h"

#include <algorithm>
#include <array>

namespace heddle::scan {

alias::Place place_of(const Program& program, const alias::AliasFacts& aliases, FunctionId id,
                      std::uint32_t instruction) {
  const Function& function = program.functions[id];
  const Instruction& code = function.instructions[instruction];
  const auto operands = function.operands_of(code);
  switch (code.opcode) {
    case Opcode::Store: return aliases.place(id, operands[1]);
    case Opcode::Load:
    case Opcode::AtomicRmw:
    case Opcode::CmpXchg: return aliases.place(id, operands[0]);
    default: return {};
  }
}

Occurrences::Occurrences(const ScanInput& input, const std::vector<FunctionSummary>& summaries, const Reach& reach,
                         const alias::AliasFacts& aliases, LockNames& names, std::uint64_t hopeless_class)
    : in_(input), summaries_(summaries), reach_(reach), aliases_(aliases), names_(names), keys_(input.program) {
  constexpr std::uint64_t nowhere = ~0ULL;
  struct Use {
    bool is_written = false, in_thread = false;
    std::uint64_t count = 0;
    std::uint64_t next = nowhere;  ///< row
  };
  std::unordered_map<BucketKey, Use, BucketHash> uses;  // only looked up, but for the keys, which are sorted
  std::uint32_t accesses = 0;
  for (const FunctionSummary& summary : summaries) {
    first_access_.push_back(accesses);
    accesses += static_cast<std::uint32_t>(summary.own.size());
  }
  collect([&](const BucketKey& key, const Context& context, const OwnAccess& own, const Row&) {
    Use& use = uses[key];
    use.is_written |= own.mode != AccessMode::Read;
    use.in_thread |= context.phase == Phase::Thread;
    ++use.count;
    ++all_accesses_;
  });
  all_buckets_ = uses.size();
  for (const auto& [key, use] : uses)
    if (use.is_written && use.in_thread) {
      if (key.kind == BucketKey::Kind::Class && use.count > hopeless_class)
        ++hopeless_;
      else
        buckets_.push_back({key, 0, use.count});
    }
  std::ranges::sort(buckets_, {}, &Bucket::key);
  std::uint64_t rows = 0;
  for (Bucket& bucket : buckets_) {
    bucket.first = uses[bucket.key].next = rows;
    rows += bucket.count;
  }
  rows_.resize(rows);
  std::array<std::uint32_t, 3> last{};  // contexts by phase
  contexts_.emplace_back();
  collect([&](const BucketKey& key, const Context& context, const OwnAccess&, Row row) {
    Use& use = uses.find(key)->second;
    if (use.next == nowhere) return;
    std::uint32_t& known = last[static_cast<std::size_t>(context.phase)];
    if (contexts_[known] != context) {
      known = static_cast<std::uint32_t>(contexts_.size());
      contexts_.push_back(context);
    }
    row.context = known;
    rows_[use.next++] = row;
  });
}

std::vector<Candidate> Occurrences::accesses(const Bucket& bucket) const {
  std::vector<Candidate> out;
  out.reserve(bucket.count);
  for (std::uint64_t i = bucket.first; i < bucket.first + bucket.count; ++i) {
    const Row& row = rows_[i];
    const Context& context = contexts_[row.context];
    const auto function = std::ranges::upper_bound(first_access_, row.access) - first_access_.begin() - 1;
    out.push_back({context.holder, context.group, row.offset, context.phase,
                   FunctionId(static_cast<std::size_t>(function)),
                   row.access - first_access_[static_cast<std::size_t>(function)]});
  }
  std::ranges::sort(out);
  return out;
}

template <class Found>
void Occurrences::collect(Found found) {
  GroupLeaves leaves(summaries_);
  for (std::uint32_t f = 0; f < summaries_.size(); ++f) {
    const FunctionSummary& summary = summaries_[f];
    const auto& visits = reach_.visits[f];
    // A thread's entry is nobody's callee: what depends on its parameters is final there.
    const Visit& in_a_thread = visits[static_cast<std::size_t>(Phase::Thread)];
    const bool is_final = (in_a_thread.reached && !in_a_thread.caller) || reach_.is_wide_target[f];
    if (!reach_.is_reached(FunctionId(f))) continue;
    for (std::uint32_t g = is_final ? 0 : summary.dependent; g < summary.groups.size(); ++g) {
      const AccessGroup& group = summary.groups[g];
      leaves.each(FunctionId(f), g, [&](FunctionId leaf, std::uint32_t own, std::int32_t offset) {
        const OwnAccess& access = summaries_[leaf.index()].own[own];
        find_keys(summary, group, leaf, access, offset);
        add_class_key(summary, group, leaf, access);
        if (found_keys_.empty()) return;
        for (const Phase phase : {Phase::Boot, Phase::Main, Phase::Thread}) {
          if (!visits[static_cast<std::size_t>(phase)].reached ||
              (phase == Phase::Boot && !summary.thread_states[group.threads].spawned))
            continue;
          if (g < summary.dependent && phase != Phase::Thread && !reach_.is_wide_target[f]) continue;
          for (const BucketKey& key : found_keys_)
            found(key, Context{FunctionId(f), g, phase}, access, Row{0, first_access_[leaf.index()] + own, offset});
        }
      });
    }
  }
}

/// Where an access meets others, into found_keys_.
void Occurrences::find_keys(const FunctionSummary& summary, const AccessGroup& group, FunctionId leaf,
                            const OwnAccess& access, std::int32_t offset) {
  found_keys_.clear();
  const Node* root = &summary.nodes[group.node.index()];
  std::int64_t inside = offset;
  while (root->kind == NodeKind::Element) {
    inside += root->offset;
    root = &summary.nodes[root->parent.index()];
  }
  const bool is_global = root->kind == NodeKind::Global;
  skip_class_ = is_global && access.mode == AccessMode::Read && in_.program.globals[GlobalId(root->index)].is_constant;
  if (skip_class_) return;
  MemberKey member = access.key;
  if (!member.record) member = keys_.at(root->type, inside);
  if (member.record) {
    found_keys_.push_back({BucketKey::Kind::Member, member.record.index(), member.offset});
    if (is_block(leaf, access)) add_members_behind(root->type, inside, member, access.size);
    skip_class_ = in_.assumptions.typed_memory;
  } else if (is_global) {
    found_keys_.push_back({BucketKey::Kind::Global, root->index, 0});
  } else if (const std::uint32_t path = names_.path(summary, {group.node, 0}); path != LockNames::none) {
    found_keys_.push_back({BucketKey::Kind::Path, path, offset});
  }
}

/// Whether an access may touch more than one member: copies of structs, memset.
bool Occurrences::is_block(FunctionId leaf, const OwnAccess& access) const {
  const Opcode opcode = in_.program.functions[leaf].instructions[access.instruction].opcode;
  return access.size > 1 && opcode != Opcode::Load && opcode != Opcode::Store;
}

void Occurrences::add_members_behind(TypeId type, std::int64_t inside, MemberKey first, std::uint32_t bytes) {
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
void Occurrences::add_class_key(const FunctionSummary& summary, const AccessGroup& group, FunctionId leaf,
                                const OwnAccess& access) {
  if (skip_class_) return;
  const Node* root = &summary.nodes[group.node.index()];
  while (root->kind == NodeKind::Element) root = &summary.nodes[root->parent.index()];
  const alias::Place place = root->kind == NodeKind::Global ? aliases_.place({}, Operand::global(GlobalId(root->index)))
                                                            : place_of(in_.program, aliases_, leaf, access.instruction);
  if (place.valid()) found_keys_.push_back({BucketKey::Kind::Class, place.cls.index(), 0});
}

}  // namespace heddle::scan
