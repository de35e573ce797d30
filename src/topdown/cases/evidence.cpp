// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/cases/evidence.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "race/build_report.h"
#include "race/user_code.h"
#include "topdown/cases/pairs.h"
#include "topdown/cases/separate.h"

namespace heddle::topdown {

using race::Access;
using race::CallStep;
using race::Warning;

namespace {

bool is_shared(const HeldLock& lock) { return lock.shared; }

}  // namespace

Warning warning_of(const TopDownResult& result, std::uint32_t a, std::uint32_t b) {
  const auto access = [&](std::uint32_t number) {
    const GuardedAccess& g = result.accesses[number];
    return Access{result.threads->contexts[g.context].function, g.instruction, g.kind, g.is_atomic, number};
  };
  if (!writes(result.accesses[a].kind)) std::swap(a, b);
  return {access(a), access(b)};
}

std::int64_t offset_of_variable(const GuardedAccess& access) {
  const Target& target = access.target;
  const auto stride = static_cast<std::int64_t>(target.stride);
  return stride == 0 ? target.low : ((target.low % stride) + stride) % stride;
}

TopDownEvidence::TopDownEvidence(const Program& program, const TopDownResult& result)
    : program_(program), result_(result) {}

std::vector<CallStep> TopDownEvidence::stack(const Access& access) {
  return stack_of(guarded(access).context, access.instruction);
}

std::vector<CallStep> TopDownEvidence::stack_of(ContextId context, std::uint32_t instruction) const {
  std::vector<CallStep> out;
  for (ContextId c = context; c; c = result_.threads->contexts[c].caller) {
    out.push_back({result_.threads->contexts[c].function, instruction});
    instruction = result_.threads->contexts[c].call;
  }
  return out;
}

std::string TopDownEvidence::lock_name(const HeldLock& lock) const {
  if (lock.object) {
    std::string name = result_.universe->describe(lock.object);
    if (lock.kind == HeldLock::Kind::Indexed) name += "[i]";
    if (lock.offset != 0 && lock.kind == HeldLock::Kind::Exact) name += " + " + std::to_string(lock.offset);
    return name;
  }
  if (lock.kind == HeldLock::Kind::Relative) return "the lock " + std::to_string(lock.offset) + " bytes from the data";
  return "a lock behind a pointer";
}

/// The history of an access with numbers for its locks: what one form is described as more than once has several.
struct TopDownEvidence::OrderClaim {
  OrderClaim(const TopDownEvidence& evidence, const GuardedAccess& access, race::LockOrder& out) {
    for (const TakenSince& entry : access.history) {
      if (out.rows.empty() || locks[out.rows.back().held.lock] != without_mode(entry.held))
        out.rows.push_back({claim(evidence, entry.held, out), {}});
      out.rows.back().since.push_back(claim(evidence, entry.taken, out));
    }
  }

  /// What is held and what is taken may differ in the mode alone.
  static HeldLock without_mode(HeldLock lock) {
    lock.shared = false;
    return lock;
  }
  race::ClaimedLock claim(const TopDownEvidence& evidence, const HeldLock& lock, race::LockOrder& out) {
    const HeldLock plain = without_mode(lock);
    const auto [at, is_new] = numbers.try_emplace(plain, static_cast<std::uint32_t>(locks.size()));
    if (is_new) {
      locks.push_back(plain);
      out.names.push_back(evidence.lock_name(lock));
    }
    return {at->second, lock.shared};
  }

  std::vector<HeldLock> locks;  ///< by number
  std::map<HeldLock, std::uint32_t> numbers;
};

std::vector<race::HeldLock> TopDownEvidence::locks(const Access& access) {
  std::vector<race::HeldLock> out;
  for (const HeldLock& lock : guarded(access).locks) {
    const std::string name = lock_name(lock);
    const bool is_known = std::ranges::any_of(
        out, [&](const race::HeldLock& known) { return known.name == name && known.is_shared == is_shared(lock); });
    if (!is_known) out.push_back({name, is_shared(lock)});
  }
  return out;
}

const std::vector<std::uint32_t>& TopDownEvidence::at_place(const Access& access) {
  if (by_place_.empty())
    for (std::uint32_t i = 0; i < result_.accesses.size(); ++i) {
      const GuardedAccess& a = result_.accesses[i];
      by_place_[{result_.threads->contexts[a.context].function, a.instruction, a.kind}].push_back(i);
    }
  return by_place_[{access.function, access.instruction, access.kind}];
}

race::Meetings TopDownEvidence::meetings(const Warning& warning) {
  constexpr std::size_t most_looked_at = 100'000;
  race::Meetings out;
  // What was not treated may give locks back, or make accesses that nobody knows of.
  if (!result_.obstacles.empty() || result_.gave_up) return out;
  const std::vector<std::uint32_t>& first = at_place(warning.first);
  const std::vector<std::uint32_t>& second = at_place(warning.second);
  if (first.size() * second.size() > most_looked_at) return out;
  for (const std::uint32_t i : first)
    for (const std::uint32_t k : second) {
      const GuardedAccess &a = result_.accesses[i], &b = result_.accesses[k];
      if (a.target.object != b.target.object || separate(result_, a, b)) continue;
      out.all.push_back(meeting_of(a, b));
    }
  out.is_complete = true;
  out.assumptions = result_.assumptions;
  return out;
}

race::Meeting TopDownEvidence::meeting_of(const GuardedAccess& a, const GuardedAccess& b) const {
  race::Meeting out;
  OrderClaim first(*this, a, out.first), second(*this, b, out.second);
  for (std::uint32_t x = 0; x < first.locks.size(); ++x)
    for (std::uint32_t y = 0; y < second.locks.size(); ++y)
      if (must_be_one_lock(result_, a, first.locks[x], b, second.locks[y])) out.one_lock.emplace(x, y);
  return out;
}

std::string TopDownEvidence::thread_name(const Access& access) { return race::thread_text(threads(access).front()); }

std::vector<ReportThread> TopDownEvidence::threads(const Access& access) {
  ReportThread out = thread_of(guarded(access).thread);
  out.name = race::thread_name_of(program_, stack(access));
  return {out};
}

ReportThread TopDownEvidence::thread_of(ThreadId thread) const {
  const threads::Thread& t = result_.threads->threads[thread];
  ReportThread out{
      race::function_name(program_, t.entry), t.creator && t.multiple, {}, race::person_name(program_, t.entry)};
  if (t.creator) out.created = race::frame_of(program_, race::user_step(program_, stack_of(t.creator, t.created_by)));
  return out;
}

/// A thread that starts in a library has the name of the user's function that it comes to.
std::vector<ReportThread> TopDownEvidence::all_threads() {
  std::map<ThreadId, std::string> names;
  for (std::uint32_t i = 0; i < result_.threads->contexts.size(); ++i) {
    const threads::Context& context = result_.threads->contexts[ContextId(i)];
    if (!context.caller || race::is_library(program_, context.function) || names.contains(context.thread)) continue;
    const std::vector<CallStep> stack = stack_of(ContextId(i), 0);
    const auto is_outer = [&](const CallStep& step) { return race::is_library(program_, step.function); };
    if (std::all_of(stack.begin() + 1, stack.end(), is_outer))
      names[context.thread] = race::thread_name_of(program_, stack);
  }
  std::vector<ReportThread> out;
  for (std::uint32_t i = 0; i < result_.threads->threads.size(); ++i) {
    out.push_back(thread_of(ThreadId(i)));
    if (const auto known = names.find(ThreadId(i)); known != names.end()) out.back().name = known->second;
  }
  return race::without_doubles(std::move(out));
}

std::optional<ReportGuard> TopDownEvidence::guard(const Warning& warning) {
  group_by_variable();
  const std::string key = key_of(guarded(warning.first));
  const auto [known, is_new] = guards_.try_emplace(key);
  if (is_new) known->second = guard_of(by_variable_[key]);
  return known->second;
}

/// Places count, not the ways there: a place holds a lock if it does on every way.
std::optional<ReportGuard> TopDownEvidence::guard_of(const std::vector<std::uint32_t>& accesses) const {
  std::map<std::tuple<FunctionId, std::uint32_t, AccessKind>, std::pair<Access, std::set<std::string>>> places;
  for (const std::uint32_t number : accesses) {
    const Access access = warning_of(result_, number, number).first;
    std::set<std::string> held;
    for (const HeldLock& lock : guarded(access).locks) held.insert(lock_name(lock));
    const auto [at, is_new] = places.try_emplace({access.function, access.instruction, access.kind}, access, held);
    if (!is_new) std::erase_if(at->second.second, [&](const std::string& lock) { return !held.contains(lock); });
  }
  std::map<std::string, std::uint32_t> counts;
  for (const auto& [place, one] : places)
    for (const std::string& lock : one.second) ++counts[lock];
  if (counts.empty()) return std::nullopt;
  const auto most = std::ranges::max_element(counts, {}, [](const auto& row) { return row.second; });
  ReportGuard out{most->first, most->second, static_cast<std::uint32_t>(places.size())};
  constexpr std::size_t listed = 8;
  for (const auto& [place, one] : places) {
    if (one.second.contains(out.lock)) continue;
    if (out.without.size() < listed)
      out.without.push_back(race::short_access(program_, one.first));
    else
      ++out.more_without;
  }
  return out;
}

void TopDownEvidence::group_by_variable() {
  if (!by_variable_.empty()) return;
  for (std::uint32_t i = 0; i < result_.accesses.size(); ++i) by_variable_[key_of(result_.accesses[i])].push_back(i);
}

std::string TopDownEvidence::variable_key(const Warning& warning) { return key_of(guarded(warning.first)); }

std::string TopDownEvidence::key_of(const GuardedAccess& access) const {
  return "object " + std::to_string(access.target.object.index()) + " at " + std::to_string(offset_of_variable(access));
}

std::string TopDownEvidence::object_name(const Access& access) {
  return result_.universe->describe(guarded(access).target.object);
}

std::string TopDownEvidence::why_parallel(const Warning& w) {
  if (guarded(w.first).thread == guarded(w.second).thread)
    return "two instances of the thread may run at the same time";
  return "both threads may run at that time: neither has surely ended or not yet started";
}

std::vector<std::string> TopDownEvidence::reasons(const Warning& w) {
  const bool one_has_none = guarded(w.first).locks.empty() || guarded(w.second).locks.empty();
  return {why_parallel(w),
          one_has_none ? "no lock is surely held on both sides" : "no lock is surely common to both sides"};
}

std::string TopDownEvidence::common_lock(const GuardedAccess& a, const GuardedAccess& b) const {
  for (const HeldLock& x : a.locks)
    for (const HeldLock& y : b.locks)
      if (const std::string name = lock_name(x); name == lock_name(y) && !(is_shared(x) && is_shared(y))) return name;
  return {};
}

std::vector<race::ConsideredPair> TopDownEvidence::considered(const std::function<bool(const Access&)>& is_wanted) {
  std::vector<bool> wanted;
  for (std::uint32_t i = 0; i < result_.accesses.size(); ++i)
    wanted.push_back(is_wanted(warning_of(result_, i, i).first));
  std::vector<race::ConsideredPair> out;
  for_each_pair(result_, [&](std::uint32_t a, std::uint32_t b) {
    if (wanted[a] || wanted[b]) out.push_back(considered_pair(a, b));
  });
  return out;
}

race::ConsideredPair TopDownEvidence::considered_pair(std::uint32_t a, std::uint32_t b) const {
  race::ConsideredPair pair{warning_of(result_, a, b), std::nullopt};
  const auto reason = separate(result_, result_.accesses[a], result_.accesses[b]);
  if (!reason) return pair;
  pair.separation = {*reason, {}};
  if (*reason == race::SeparationReason::CommonLock)
    pair.separation->detail = common_lock(result_.accesses[a], result_.accesses[b]);
  return pair;
}

}  // namespace heddle::topdown
