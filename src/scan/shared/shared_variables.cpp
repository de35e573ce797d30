// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/shared/shared_variables.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "scan/names/lvalue_text.h"
#include "scan/shared/unshared_variables.h"

namespace heddle::scan {
namespace {

/// Accesses of a bucket that are alike as far as meeting others goes.
struct Kin {
  Reach::Side side;
  GlobalId global;
  bool is_write = false;
  friend auto operator<=>(const Kin&, const Kin&) = default;
};

class SharedSearch {
 public:
  SharedSearch(const ScanFacts& facts, const std::vector<threads::OutsideEntry>& entries,
               const CandidateOptions& options)
      : facts_(facts),
        program_(facts.input.program),
        summaries_(facts.summaries),
        text_(program_),
        sequences_(program_, summaries_),
        circumstances_(facts.input, facts.summaries, facts.reach, facts.names),
        occurrences_(facts.input, facts.summaries, facts.reach, facts.aliases, facts.names, circumstances_,
                     facts.input.assumptions.small_classes ? options.hopeless_partition : ~0U) {
    for (const threads::OutsideEntry& entry : entries) reasons_.try_emplace(entry.function, entry.reason);
    for (const Root& root : facts.reach.roots)
      if (root.creator) creators_.try_emplace(root.entry, &root);
  }

  SharedVariables run() {
    SharedVariables out;
    UnsharedVariables others(facts_, text_);
    std::vector<Occurrence> accesses;
    for (const Occurrences::Bucket& bucket : occurrences_.shared()) {
      occurrences_.list(bucket, accesses);
      others.note_used(bucket.key);
      if (const std::optional<NotShared> reason = why_not(bucket.key, accesses))
        others.add(bucket.key, *reason);
      else if (!is_listed_as_global(bucket.key, accesses))
        out.shared.push_back(variable_of(bucket.key, accesses));
    }
    for (const Occurrences::Unshared& bucket : occurrences_.unshared()) {
      others.note_used(bucket.key);
      others.add(bucket.key, bucket.is_written ? NotShared::NoThread : NotShared::OnlyRead);
    }
    out.others = others.finish();
    out.large_classes = occurrences_.hopeless_buckets();
    std::ranges::sort(out.shared, [](const SharedVariable& a, const SharedVariable& b) {
      return std::tie(a.name, a.rule, a.accesses) < std::tie(b.name, b.rule, b.accesses);
    });
    return out;
  }

 private:
  [[nodiscard]] const OwnAccess& own(const Candidate& c) const { return summaries_[c.function.index()].own[c.own]; }
  [[nodiscard]] const AccessGroup& group(const Candidate& c) const {
    return summaries_[c.holder.index()].groups[c.group];
  }
  [[nodiscard]] bool is_write(const Occurrence& o) const { return writes(own(o.access).kind); }
  [[nodiscard]] GlobalId global(const Occurrence& o) const { return circumstances_[o.circumstances].global; }

  /// Nothing: two threads may touch it at the same time, and one of them writes.
  [[nodiscard]] std::optional<NotShared> why_not(const BucketKey& key, const std::vector<Occurrence>& accesses) const {
    const bool in_class = key.kind == BucketKey::Kind::Class;
    std::set<Kin> kins;
    bool is_thread_local = true;
    for (const Occurrence& o : accesses) {
      kins.insert({circumstances_[o.circumstances].side, global(o), is_write(o)});
      is_thread_local &= is_own_by_name(global(o));
    }
    if (is_thread_local) return NotShared::ThreadLocal;
    for (const Kin& a : kins)
      for (const Kin& b : kins)
        if (a.is_write && may_meet(a, b, in_class)) return std::nullopt;
    return NotShared::OneAtATime;
  }

  [[nodiscard]] bool is_own_by_name(GlobalId global) const {
    return global.valid() && program_.globals[global].is_thread_local;
  }

  /// As pairs are compared, but for locks and atomic accesses. One kin may be several threads.
  [[nodiscard]] bool may_meet(const Kin& a, const Kin& b, bool in_class) const {
    if (a.global && b.global && (a.global != b.global || in_class || is_own_by_name(a.global))) return false;
    return facts_.reach.may_overlap(a.side, b.side);
  }

  /// Plain globals have a bucket of their own beside that of their class.
  [[nodiscard]] bool is_listed_as_global(const BucketKey& key, const std::vector<Occurrence>& accesses) const {
    return key.kind == BucketKey::Kind::Class &&
           std::ranges::all_of(accesses, [&](const Occurrence& o) { return global(o).valid(); });
  }

  SharedVariable variable_of(const BucketKey& key, const std::vector<Occurrence>& accesses) {
    SharedVariable out;
    const Occurrence* update = nullptr;
    for (const Occurrence& o : accesses) {
      out.accesses.push_back({{o.access.function, own(o.access).instruction}, own(o.access).kind});
      out.is_ever_locked |= is_locked(o);
      if (!is_write(o)) continue;
      const SharedRule rule = rule_of(o.access);
      if (update != nullptr && std::pair(rule, o.access.holder != o.access.function) >=
                                   std::pair(out.rule, update->access.holder != update->access.function))
        continue;
      out.rule = rule;
      update = &o;
    }
    std::ranges::sort(out.accesses);
    const auto doubles = std::ranges::unique(out.accesses);
    out.accesses.erase(doubles.begin(), doubles.end());
    out.origin = origin_of(update->access);
    out.sequence = sequences_.to(update->access);
    out.name = name_of(key, accesses, update->access);
    // Where no name is known, as the update itself calls it.
    if (out.name.contains('?')) out.name = out.sequence.back().text.substr(out.sequence.back().text.find(' ') + 1);
    return out;
  }

  /// Under a lock of its function, of one that calls it, or of a kind that is known.
  [[nodiscard]] bool is_locked(const Occurrence& o) const {
    const FunctionSummary& summary = summaries_[o.access.holder.index()];
    return !summary.locksets[group(o.access).lockset].acquired.empty() ||
           !circumstances_[o.circumstances].locks.empty() || !circumstances_[o.circumstances].kinds.empty();
  }

  [[nodiscard]] const Node& root_of(const Candidate& c) const {
    const std::vector<Node>& nodes = summaries_[c.holder.index()].nodes;
    const Node* node = &nodes[group(c).node.index()];
    while (node->parent) node = &nodes[node->parent.index()];
    return *node;
  }

  [[nodiscard]] SharedRule rule_of(const Candidate& c) const {
    const Node& node = summaries_[c.holder.index()].nodes[group(c).node.index()];
    switch (root_of(c).kind) {
      case NodeKind::Global:
        if (node.depth > 0) return SharedRule::PointerInGlobal;
        return c.holder == c.function ? SharedRule::WrittenGlobal : SharedRule::PointerToGlobal;
      case NodeKind::Formal:
        if (creators_.contains(c.holder)) return SharedRule::ThreadArgument;
        return is_outside(c.holder) ? SharedRule::ApiParameter : SharedRule::TableParameter;
      case NodeKind::Local:
      case NodeKind::Fresh: return SharedRule::EscapedPointer;
      case NodeKind::Hidden: return SharedRule::LibraryState;
      default: return SharedRule::UnknownPointer;
    }
  }

  [[nodiscard]] bool is_outside(FunctionId function) const {
    return reasons_.contains(function) || std::ranges::any_of(facts_.reach.visits[function.index()], &Visit::is_root);
  }

  [[nodiscard]] std::string origin_of(const Candidate& c) {
    const Node& root = root_of(c);
    const std::string holder = "'" + std::string(program_.functions[c.holder].shown_name()) + "'";
    switch (root.kind) {
      case NodeKind::Global: return "'" + std::string(program_.globals[GlobalId(root.index)].shown_name()) + "'";
      case NodeKind::Formal:
        if (const auto reason = reasons_.find(c.holder); reason != reasons_.end())
          return holder + ", " + reason->second;
        return holder;
      case NodeKind::Local:
      case NodeKind::Fresh: {
        const FunctionSummary& summary = summaries_[c.holder.index()];
        const auto index = static_cast<std::uint32_t>(&root - summary.nodes.data());
        return "'" + text_.print(summary.nodes, c.holder, {NodeId(index), 0}) + "' of " + holder;
      }
      default: return {};
    }
  }

  /// Of one global, as the update calls it; else the member of its struct.
  [[nodiscard]] std::string name_of(const BucketKey& key, const std::vector<Occurrence>& accesses,
                                    const Candidate& update) {
    const GlobalId first = global(accesses.front());
    const bool is_one_object =
        first.valid() && std::ranges::all_of(accesses, [&](const Occurrence& o) { return global(o) == first; });
    if (key.kind == BucketKey::Kind::Class || (key.kind == BucketKey::Kind::Member && is_one_object)) {
      const FunctionSummary& summary = summaries_[update.holder.index()];
      const std::uint32_t size = own(update).size;
      return text_.print(summary.nodes, update.holder, {group(update).node, update.offset}, std::max(1U, size));
    }
    return bucket_name(facts_, text_, key);
  }

  const ScanFacts& facts_;
  const Program& program_;
  const std::vector<FunctionSummary>& summaries_;
  LvalueText text_;
  UpdateSequences sequences_;
  CircumstanceTable circumstances_;
  Occurrences occurrences_;
  std::map<FunctionId, std::string> reasons_;   ///< of functions that somebody outside calls
  std::map<FunctionId, const Root*> creators_;  ///< of entries of threads that code in sight starts
};

}  // namespace

std::size_t SharedVariables::never_locked() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(shared, [](const SharedVariable& v) { return !v.is_ever_locked; }));
}

SharedVariables find_shared_variables(const ScanFacts& facts, const std::vector<threads::OutsideEntry>& entries,
                                      const CandidateOptions& options) {
  return SharedSearch(facts, entries, options).run();
}

}  // namespace heddle::scan
