// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/reach.h"

#include <algorithm>
#include <deque>
#include <map>

namespace heddle::scan {
namespace {

std::vector<NamedLock> both(const std::vector<NamedLock>& a, const std::vector<NamedLock>& b) {
  std::vector<NamedLock> out;
  for (const NamedLock& lock : a)
    if (const auto at = std::ranges::lower_bound(b, lock.name, {}, &NamedLock::name);
        at != b.end() && at->name == lock.name)
      out.push_back({lock.name, lock.is_shared || at->is_shared});
  return out;
}

class Walk {
 public:
  Walk(const ScanInput& input, const std::vector<FunctionSummary>& summaries, LockNames& names)
      : in_(input), summaries_(summaries), names_(names) {
    out_.visits.resize(input.program.functions.size());
    out_.is_wide_target.resize(input.program.functions.size());
    out_.root_sets.emplace_back();
    set_ids_[{}] = 0;
    queued_.resize(input.program.functions.size());
  }

  Reach run(const std::vector<FunctionId>& mains, const std::vector<FunctionId>& entries) {
    for (const FunctionId constructor : in_.program.constructors) enter(constructor, Phase::Boot, {}, 0, {}, {}, {});
    for (const FunctionId main : mains) enter(main, Phase::Boot, {}, 0, {}, {}, {});
    for (const FunctionId entry : entries) {
      Root& root = root_of(entry);
      root.is_multiple = true;
      root.owns_argument = false;
      start(entry);
    }
    while (!queue_.empty()) {
      const auto [function, phase] = queue_.front();
      queue_.pop_front();
      queued_[function.index()][static_cast<std::size_t>(phase)] = false;
      follow(function, phase);
    }
    return std::move(out_);
  }

 private:
  struct Caller {
    FunctionId function;
    std::uint32_t instruction = 0;
    Phase phase = Phase::Boot;
  };

  Root& root_of(FunctionId entry) {
    const auto [at, is_new] = root_ids_.try_emplace(entry, static_cast<std::uint32_t>(out_.roots.size()));
    if (is_new) out_.roots.push_back({.entry = entry, .creator = {}});
    return out_.roots[at->second];
  }

  void start(FunctionId entry) {
    const std::uint32_t id = root_ids_.at(entry);
    enter(entry, Phase::Thread, {}, set_with({}, {id}), {}, {}, {});
  }

  std::uint32_t set_with(std::vector<std::uint32_t> set, const std::vector<std::uint32_t>& more) {
    std::vector<std::uint32_t> all;
    std::ranges::set_union(set, more, std::back_inserter(all));
    const auto [at, is_new] = set_ids_.try_emplace(all, static_cast<std::uint32_t>(out_.root_sets.size()));
    if (is_new) out_.root_sets.push_back(std::move(all));
    return at->second;
  }

  void enter(FunctionId function, Phase phase, std::vector<NamedLock> locks, std::uint32_t roots, const Caller& from,
             bool many, bool again) {
    if (!in_.program.functions[function].has_body()) return;
    Visit& visit = out_.visits[function.index()][static_cast<std::size_t>(phase)];
    bool changed = false;
    if (!visit.reached) {
      visit.reached = changed = true;
      visit.locks = std::move(locks);
      visit.roots = roots;
      visit.many = many;
      visit.caller = from.function;
      visit.call = from.instruction;
      visit.caller_phase = from.phase;
      visit.calls = 1;
    } else {
      std::vector<NamedLock> common = both(visit.locks, locks);
      changed |= common != visit.locks;
      visit.locks = std::move(common);
      if (visit.roots != roots) {
        const std::uint32_t all = set_with(out_.root_sets[visit.roots], out_.root_sets[roots]);
        changed |= all != visit.roots;
        visit.roots = all;
      }
      // A second way there, other than the first seen once more.
      if (!again && (visit.caller != from.function || visit.call != from.instruction)) many = true;
      if (many && !visit.many) visit.many = changed = true;
    }
    if (changed && !queued_[function.index()][static_cast<std::size_t>(phase)]) {
      queued_[function.index()][static_cast<std::size_t>(phase)] = true;
      queue_.emplace_back(function, phase);
    }
  }

  std::vector<NamedLock> locks_at(const FunctionSummary& summary, const Visit& visit, std::uint32_t lockset) {
    const RelativeLockset& relative = summary.locksets[lockset];
    std::vector<NamedLock> out = visit.locks;
    for (const Lvalue lock : relative.released) {
      const std::uint32_t name = names_.fixed(summary, lock);
      std::erase_if(out, [&](const NamedLock& l) { return l.name == name; });
    }
    for (const HeldLock& held : relative.acquired) {
      const std::uint32_t name = names_.fixed(summary, held.lock);
      if (name == LockNames::none) continue;
      const auto at = std::ranges::lower_bound(out, name, {}, &NamedLock::name);
      if (at == out.end() || at->name != name)
        out.insert(at, {name, held.is_shared});
      else
        at->is_shared = at->is_shared && held.is_shared;
    }
    return out;
  }

  void follow(FunctionId function, Phase phase) {
    const FunctionSummary& summary = summaries_[function.index()];
    const Visit visit = out_.visits[function.index()][static_cast<std::size_t>(phase)];
    for (const SummaryCall& call : summary.calls) {
      const Phase next = phase == Phase::Boot && call.after_spawn ? Phase::Main : phase;
      if (in_.targets.of(function, call.instruction).size() > in_.limits.wide_call)
        out_.is_wide_target[call.callee.index()] = true;
      enter(call.callee, next, locks_at(summary, visit, call.lockset), visit.roots, {function, call.instruction, phase},
            visit.many || call.in_loop, false);
    }
    for (const SummarySpawn& spawn : summary.spawns) {
      if (spawn.entry.kind != SymbolicValue::Kind::Code || !in_.program.functions[spawn.entry.code].has_body())
        continue;
      const bool is_new = !root_ids_.contains(spawn.entry.code);
      Root& root = root_of(spawn.entry.code);
      const bool is_first_site = is_new || (root.creator == function && root.instruction == spawn.instruction);
      if (is_new) {
        root.creator = function;
        root.instruction = spawn.instruction;
      }
      if (!is_first_site) root.sites = 2;
      bool by_many = visit.many;
      for (const std::uint32_t r : out_.root_sets[visit.roots]) by_many |= out_.roots[r].is_multiple;
      root.is_multiple |= spawn.in_loop || by_many || !is_first_site || out_.root_sets[visit.roots].size() > 1;
      root.owns_argument &= spawn.fresh_argument;
      start(spawn.entry.code);
    }
  }

  const ScanInput& in_;
  const std::vector<FunctionSummary>& summaries_;
  LockNames& names_;
  Reach out_;
  std::map<FunctionId, std::uint32_t> root_ids_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> set_ids_;
  std::deque<std::pair<FunctionId, Phase>> queue_;
  std::vector<std::array<bool, 3>> queued_;
};

}  // namespace

bool Reach::may_overlap(Phase a, std::uint32_t roots_a, Phase b, std::uint32_t roots_b) const {
  if (a == Phase::Boot || b == Phase::Boot) return false;
  if (a == Phase::Main || b == Phase::Main) return a != b;
  const auto& first = root_sets[roots_a];
  const auto& second = root_sets[roots_b];
  if (first.empty() || second.empty()) return false;
  if (first.size() > 1 || second.size() > 1 || first != second) return true;
  return roots[first[0]].is_multiple;
}

std::size_t Reach::functions_reached() const {
  return static_cast<std::size_t>(std::ranges::count_if(visits, [](const auto& phases) {
    return std::ranges::any_of(phases, [](const Visit& v) { return v.reached; });
  }));
}

Reach find_reach(const ScanInput& input, const std::vector<FunctionSummary>& summaries,
                 const std::vector<FunctionId>& mains, const std::vector<FunctionId>& entries, LockNames& names) {
  return Walk(input, summaries, names).run(mains, entries);
}

}  // namespace heddle::scan
