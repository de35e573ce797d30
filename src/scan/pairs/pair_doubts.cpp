// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/pairs/pair_doubts.h"

#include <algorithm>

#include "scan/pairs/ranking.h"

namespace heddle::scan {
namespace {

bool share_a_kind(const MemberGroup& a, const MemberGroup& b) {
  return std::ranges::any_of(a.in->kinds, [&](std::uint32_t k) { return std::ranges::binary_search(b.in->kinds, k); });
}

/// Most accesses hold one lock: who hands objects over would not need it.
bool is_usual(const Guard& guard) { return guard.lock != LockNames::none && guard.share >= 500 && guard.guarded >= 2; }

struct NodeRoot {
  NodeKind kind = NodeKind::Fresh;  ///< of the node that the path begins with
  std::uint8_t depth = 0;           ///< of the path
  friend bool operator==(const NodeRoot&, const NodeRoot&) = default;
};

NodeRoot root_of(const FunctionSummary& summary, std::uint32_t group) {
  const Node* node = &summary.nodes[summary.groups[group].node.index()];
  const std::uint8_t depth = node->depth;
  while (node->parent) node = &summary.nodes[node->parent.index()];
  return {node->kind, depth};
}

/// It goes to memory that its function made, and that others perhaps do not know. What the function, in a thread, gave
/// to others before, or a callee that made it before it returned, they know.
bool is_perhaps_own(const ScanFacts& scanned, const MemberGroup& side, const Candidate& c) {
  const FunctionSummary& summary = scanned.summaries[c.holder.index()];
  const AccessGroup& group = summary.groups[c.group];
  const Node* node = &summary.nodes[group.node.index()];
  while (node->parent) node = &summary.nodes[node->parent.index()];
  if (node->kind != NodeKind::Fresh) return node->kind == NodeKind::Local;
  if (node->is_published && group.after_publication && side.in->side.phase != Phase::Main) return false;
  if (node->stride == 0) return true;
  const Function& function = scanned.input.program.functions[node->function];
  const Operand callee = function.operands_of(function.instructions[node->index])[0];
  if (!callee.is_function()) return true;
  const auto& theirs = scanned.summaries[callee.index()].nodes;
  const auto number = static_cast<std::size_t>(node->stride - 1);
  return number >= theirs.size() || theirs[number].kind != NodeKind::Fresh || !theirs[number].is_published;
}

}  // namespace

Suspicion PairDoubts::suspicion(const BucketFacts& bucket, const MemberGroup& a, const MemberGroup& b,
                                const Candidate& of_a, const Candidate& of_b) {
  const Pair pair = a.is_write ? Pair{a, b, of_a, of_b} : Pair{b, a, of_b, of_a};
  Suspicion out;
  out.first = pair.first;
  out.second = pair.second;
  out.doubts = doubts_of(bucket, pair);
  out.guard = bucket.guard.lock;
  out.guarded = bucket.guard.guarded;
  out.locations = bucket.guard.locations;
  out.first_lacks_guard = bucket.guard.is_lacking(pair.x);
  out.second_lacks_guard = bucket.guard.is_lacking(pair.y);
  weigh(out, bucket, pair);
  return out;
}

std::vector<Doubt> PairDoubts::doubts_of(const BucketFacts& bucket, const Pair& pair) {
  const auto& [x, y, first, second] = pair;
  std::vector<Doubt> out;
  add_memory_doubts(pair, out);
  if (bucket.is_large) out.push_back(Doubt::LargePartition);
  if (x.in->side.phase == Phase::Main || y.in->side.phase == Phase::Main) out.push_back(Doubt::BootUpThread);
  if (is_early(first) || is_early(second)) out.push_back(Doubt::BeforeItsThreads);
  if (only_root_of(x, y) != nullptr) out.push_back(Doubt::SameEntry);
  if (bucket.guard.lock == LockNames::none) out.push_back(Doubt::NeverLocked);
  if (scanned_.reach.overlap_by_exit_only(x.in->side, y.in->side)) out.push_back(Doubt::EndedByCall);
  if (is_dying(first) || is_dying(second)) out.push_back(Doubt::DyingProgram);
  if (is_last(first) || is_last(second)) out.push_back(Doubt::LastOwner);
  if (is_doubtful(first) || is_doubtful(second)) out.push_back(Doubt::WideWays);
  if (share_a_kind(x, y)) out.push_back(Doubt::SameKindOfLock);
  add_team_doubts(pair, out);
  if (is_called_once(x, y) || is_called_once(y, x)) out.push_back(Doubt::RunsOnce);
  if (is_signalled(first, second)) out.push_back(Doubt::Signalled);
  if (!is_usual(bucket.guard) && taken_.has(first) && taken_.has(second)) out.push_back(Doubt::TakenOff);
  return out;
}

void PairDoubts::add_memory_doubts(const Pair& pair, std::vector<Doubt>& out) const {
  const auto root = [&](const Candidate& c) { return root_of(scanned_.summaries[c.holder.index()], c.group); };
  const NodeRoot x = root(pair.first), y = root(pair.second);
  if (is_perhaps_own(scanned_, pair.x, pair.first) || is_perhaps_own(scanned_, pair.y, pair.second))
    out.push_back(Doubt::ThreadLocalAllocation);
  const bool by_argument = x == NodeRoot{NodeKind::Formal, 0} && y == x;
  if (const Root* thread = only_root_of(pair.x, pair.y);
      thread != nullptr && thread->owns_argument && (by_argument || go_by_argument(*thread, pair.first, pair.second)))
    out.push_back(Doubt::OwnArgument);
}

void PairDoubts::add_team_doubts(const Pair& pair, std::vector<Doubt>& out) {
  const FunctionId function = pair.first.function;
  if (function != pair.second.function) return;
  const std::uint32_t first = own(pair.first).instruction, second = own(pair.second).instruction;
  if (teams_.go_by_share(function, first, second)) out.push_back(Doubt::OwnTurn);
  // A team begins again with a barrier; others that come there again need not.
  else if (teams_.have_barrier_between(function, first, second) && (teams_.are_known() || comes_once(pair.first)))
    out.push_back(Doubt::BarrierBetween);
}

/// Both sides are threads of one root, and no other's.
const Root* PairDoubts::only_root_of(const MemberGroup& x, const MemberGroup& y) const {
  if (x.in->side.phase != y.in->side.phase || x.in->side.roots != y.in->side.roots) return nullptr;
  const std::vector<std::uint32_t>& roots = scanned_.reach.root_sets[x.in->side.roots];
  return roots.size() == 1 ? &scanned_.reach.roots[roots[0]] : nullptr;
}

/// A thread comes to the function of the access once.
bool PairDoubts::comes_once(const Candidate& c) const {
  const auto& visits = scanned_.reach.visits[c.function.index()];
  return std::ranges::none_of(visits, &Visit::many) && std::ranges::count_if(visits, &Visit::reached) == 1;
}

/// One is only made when the other has been.
bool PairDoubts::is_signalled(const Candidate& a, const Candidate& b) {
  if (!signals_.are_there()) return false;
  const auto way = [&](const Candidate& c) {
    Signals::Way out{c.phase, {}};
    for (const race::CallStep& step : way_to(scanned_.summaries, c))
      out.steps.push_back({step.function, step.instruction});
    return out;
  };
  const Signals::Way x = way(a), y = way(b);
  return signals_.lead_from(x, y) || signals_.lead_from(y, x);
}

/// Somebody outside calls both, the first once. Threads that it starts itself run beside it.
bool PairDoubts::is_called_once(const MemberGroup& once, const MemberGroup& other) const {
  const auto are_all = [&](const MemberGroup& group, auto is_so) {
    const std::vector<std::uint32_t>& roots = scanned_.reach.root_sets[group.in->side.roots];
    return group.in->side.phase == Phase::Thread && !roots.empty() &&
           std::ranges::all_of(roots, [&](std::uint32_t root) { return is_so(scanned_.reach.roots[root]); });
  };
  return are_all(once, [](const Root& root) { return root.runs_once; }) &&
         are_all(other, [](const Root& root) { return !root.creator.valid(); });
}

/// Both use the element whose number the thread was given.
bool PairDoubts::go_by_argument(const Root& root, const Candidate& first, const Candidate& second) const {
  return first.function == root.entry && second.function == root.entry &&
         teams_.go_by_parameter(root.entry, own(first).instruction, own(second).instruction);
}

/// Whether a thread that will start others makes the access before it does.
bool PairDoubts::is_early(const Candidate& c) const {
  const FunctionSummary& summary = scanned_.summaries[c.holder.index()];
  if (!is_thread(c.phase) || summary.thread_states[summary.groups[c.group].threads].spawned) return false;
  if (visit(c).is_early || !summary.may_spawn) return visit(c).is_early;
  const std::vector<race::CallStep> way = way_to(scanned_.summaries, c);
  return !way.empty() && starts_threads_behind(scanned_.summaries, c.holder, way.front().instruction);
}

/// Main ends the program as a matter of course; other threads do so when something went wrong.
bool PairDoubts::is_dying(const Candidate& c) {
  if (!is_thread(c.phase)) return false;
  return visit(c).is_dying || (c.function == c.holder && scanned_.dying.at(c.function, own(c).instruction));
}

bool PairDoubts::is_last(const Candidate& c) const { return scanned_.last_owner.at(c.function, own(c).instruction); }

bool PairDoubts::is_doubtful(const Candidate& c) const {
  return is_thread(c.phase) && scanned_.wide_ways.are_the_only_ones(c.function);
}

void PairDoubts::weigh(Suspicion& s, const BucketFacts& bucket, const Pair& pair) const {
  // Where both hold it, or locks of its kind, it says nothing.
  if (s.guard != LockNames::none && s.locations > 0 && (s.first_lacks_guard || s.second_lacks_guard)) {
    add_reason(s, Weight::GuardShare, bucket.guard.share);
    // A lock that nearly everybody takes: the one who does not is suspicious, and more so the more others there are.
    if (is_usual(bucket.guard)) add_reason(s, Weight::UsualLock, 500 + std::min<std::int64_t>(s.guarded, 50) * 10);
  }
  if (pair.x.is_write && pair.y.is_write) add_reason(s, Weight::TwoWrites, 60);
  // Memory is freed by helpers that everybody uses: which object it is, the path rarely tells.
  if (own(s.first).kind == AccessKind::Free || own(s.second).kind == AccessKind::Free)
    add_reason(s, Weight::Frees, -400);
  if (pair.x.in->locks.empty() != pair.y.in->locks.empty()) add_reason(s, Weight::OneSideLocks, 120);
  const auto is_main = [](const Candidate& c) { return !is_thread(c.phase); };
  if (s.guard != LockNames::none &&
      ((s.first_lacks_guard && is_main(s.first)) || (s.second_lacks_guard && is_main(s.second))))
    add_reason(s, Weight::MainWithoutLock, -600);
  for (const Doubt doubt : s.doubts) add_reason(s, doubt, points_of(doubt));
}

}  // namespace heddle::scan
