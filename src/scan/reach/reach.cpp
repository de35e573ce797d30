// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/reach/reach.h"

#include <algorithm>

namespace heddle::scan {

std::uint32_t Reach::live_set(std::vector<LiveThread> set) {
  const auto [at, is_new] = live_ids_.try_emplace(std::move(set), static_cast<std::uint32_t>(live_sets.size()));
  if (is_new) live_sets.push_back(at->first);
  return at->second;
}

std::uint32_t Reach::live_at(const FunctionSummary& summary, const Visit& visit, std::uint32_t threads,
                             LockNames& names) {
  // With several roots it would be anybody's guess whose threads these are.
  if (visit.roots != 0 && root_sets[visit.roots].size() != 1) return 0;
  if (threads == 0) return visit.live;
  const ThreadState& state = summary.thread_states[threads];
  std::vector<LiveThread> out = live_sets[visit.live];
  for (const Lvalue handle : state.joined)
    if (const std::uint32_t name = names.fixed(summary, handle); name != LockNames::none)
      std::erase_if(out, [&](const LiveThread& t) { return t.handle == name; });
  if (state.joined_others) std::erase_if(out, [](const LiveThread& t) { return t.entry == LiveThread::others; });
  for (const std::uint32_t t : state.running) {
    const StartedThread& thread = summary.started[t];
    const bool is_known = thread.entry.kind == SymbolicValue::Kind::Code;
    out.push_back({is_known ? thread.entry.code.index() : LiveThread::others, names.fixed(summary, thread.handle)});
  }
  if (state.others) out.push_back({LiveThread::others, LockNames::none});
  if (state.detached) out.push_back({LiveThread::detached, LockNames::none});
  std::ranges::sort(out);
  const auto rest = std::ranges::unique(out);
  out.erase(rest.begin(), rest.end());
  return live_set(std::move(out));
}

bool Reach::is_live(const std::vector<LiveThread>& live, const Root& root) const {
  if (live.empty()) return false;
  // Sorted by entry, with those that may be any thread behind all others.
  if (live.back().entry >= LiveThread::detached) return true;
  return std::ranges::binary_search(live, root.entry.index(), {}, &LiveThread::entry);
}

Reach::Around Reach::around(std::uint32_t root, bool with_exits) const {
  Around out;
  for (std::size_t steps = 0; steps <= roots.size(); ++steps) {
    const Root& one = roots[root];
    if (one.by_main || !one.is_wide) out.roots.push_back(root);
    if (!one.is_wide) return out;
    if (!one.ends_with_owner || (with_exits && one.outlives_exit)) break;
    root = one.owner;
  }
  out.is_anything = true;
  return out;
}

bool Reach::are_parallel(std::uint32_t a, std::uint32_t b, bool with_exits) const {
  if (a == b) return roots[a].is_several(with_exits);
  const Around first = around(a, with_exits), second = around(b, with_exits);
  if (first.is_anything || second.is_anything) return true;
  return std::ranges::any_of(first.roots, [&](std::uint32_t x) {
    return std::ranges::any_of(second.roots, [&](std::uint32_t y) {
      // Of two within one thread nothing more is known.
      return x == y || is_live(live_sets[roots[x].beside], roots[y]) || is_live(live_sets[roots[y].beside], roots[x]);
    });
  });
}

bool Reach::may_overlap(const Side& a, const Side& b, bool with_exits) const {
  if (a.phase == Phase::Boot || b.phase == Phase::Boot) return false;
  if (a.phase == Phase::Main && b.phase == Phase::Main) return false;
  if (b.phase == Phase::Main) return may_overlap(b, a, with_exits);
  const auto& second = root_sets[b.roots];
  if (b.roots == any_root || (a.phase == Phase::Thread && a.roots == any_root)) return true;
  if (a.phase == Phase::Main)
    return std::ranges::any_of(second, [&](std::uint32_t r) {
      const Around all = around(r, with_exits);
      return all.is_anything ||
             std::ranges::any_of(all.roots, [&](std::uint32_t x) { return is_live(live_sets[a.live], roots[x]); });
    });
  const auto& first = root_sets[a.roots];
  // Before a thread starts another, and after it has waited for it, it is alone; but for one that main started.
  const auto runs_beside = [&](std::uint32_t started, std::uint32_t by, const Side& side) {
    const Root& x = roots[started];
    const Root& y = roots[by];
    return is_live(live_sets[side.live], x) ||
           (x.by_main && (y.is_wide || is_live(live_sets[x.beside], y) || is_live(live_sets[y.beside], x)));
  };
  const auto is_owner = [&](std::uint32_t x, std::uint32_t y) {
    return roots[y].owner == x && !roots[x].is_several(with_exits) && !roots[y].may_outlive(with_exits);
  };
  return std::ranges::any_of(first, [&](std::uint32_t x) {
    return std::ranges::any_of(second, [&](std::uint32_t y) {
      if (x != y && first.size() == 1 && is_owner(x, y)) return runs_beside(y, x, a);
      if (x != y && second.size() == 1 && is_owner(y, x)) return runs_beside(x, y, b);
      return are_parallel(x, y, with_exits);
    });
  });
}

bool Reach::is_reached(FunctionId function) const {
  return std::ranges::any_of(visits[function.index()], [](const Visit& v) { return v.reached; });
}

std::size_t Reach::functions_reached() const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < visits.size(); ++i) count += is_reached(FunctionId(i)) ? 1 : 0;
  return count;
}

}  // namespace heddle::scan
