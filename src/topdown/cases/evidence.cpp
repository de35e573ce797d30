// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/cases/evidence.h"

#include <algorithm>

#include "race/build_report.h"
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

TopDownEvidence::TopDownEvidence(const Program& program, const TopDownResult& result)
    : program_(program), result_(result) {}

std::vector<CallStep> TopDownEvidence::stack(const Access& access) {
  std::vector<CallStep> out;
  std::uint32_t instruction = access.instruction;
  for (ContextId c = guarded(access).context; c; c = result_.threads->contexts[c].caller) {
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

std::string TopDownEvidence::thread_name(const Access& access) {
  const threads::Thread& t = result_.threads->threads[guarded(access).thread];
  std::string name = race::function_name(program_, t.entry);
  if (!t.creator) return name;
  if (t.multiple) name += " (several instances)";
  const FunctionId creator = result_.threads->contexts[t.creator].function;
  const Function& f = program_.functions[creator];
  const LocationId id = t.created_by < f.instructions.size() ? f.instructions[t.created_by].location : LocationId{};
  return name + ", created at " + program_.where(id ? id : f.location);
}

std::vector<ReportThread> TopDownEvidence::threads(const Access& access) {
  const threads::Thread& t = result_.threads->threads[guarded(access).thread];
  ReportThread out{race::function_name(program_, t.entry), t.multiple, {}};
  if (t.creator) out.created = race::frame_of(program_, {result_.threads->contexts[t.creator].function, t.created_by});
  return {out};
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
