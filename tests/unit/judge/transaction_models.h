// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models of the transaction judge, written down in tests: a thread is a list of steps between points.
//
//   Model m = model({{"n", 0, {-100, 100}}}, {"m"}, {
//     {"main", {{2, 3, {start(1)}}, {3, 4, {take(0)}}, {4, 5, {set(0, x(0, 1))}}, {5, 0, {give(0)}}}},
//     {"t", …}});
#pragma once
#include <algorithm>
#include <expected>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "judge/thread_graphs/finish_model.h"
#include "judge/thread_graphs/model.h"
#include "proof/transaction/checker.h"

namespace heddle::judge::transaction {

struct WrittenStep {
  PointIndex from = 0, to = 0;
  std::vector<Act> acts;
};

struct WrittenThread {
  std::string name;
  std::vector<WrittenStep> steps;
};

inline Act take(LockIndex lock, bool is_shared = false) { return Take{lock, is_shared}; }
inline Act give(LockIndex lock) { return Give{lock}; }
inline Act start(ThreadIndex thread) { return Start{thread}; }
inline Act join(ThreadIndex thread) { return Join{thread}; }
inline Place place(std::uint32_t number) { return {FunctionId(0), number}; }
inline Act visit(std::uint32_t number) { return Visit{place(number)}; }
/// variable + constant
inline LinearForm x(VariableIndex variable, std::int64_t constant = 0) {
  return LinearForm::variable(variable, 1, constant);
}
inline LinearForm n(std::int64_t number) { return LinearForm::number(number); }
inline Act set(VariableIndex target, LinearForm form, Interval range = {-100, 100}) {
  return Assign{target, std::move(form), range, true};
}
inline Act guard(LinearForm left, Predicate predicate, LinearForm right) {
  return Guard{predicate, std::move(left), std::move(right)};
}

/// The slots of all threads stand behind the shared variables; each point wants all of them.
inline Model model(std::vector<SharedVariable> shared, std::vector<std::string> locks,
                   const std::vector<WrittenThread>& threads, std::uint32_t slots = 0) {
  Model out;
  out.shared = std::move(shared);
  out.locks = std::move(locks);
  out.slots = slots;
  out.thresholds = {-1, 0, 1, 2};
  for (const WrittenThread& written : threads) {
    Thread& thread = out.threads.emplace_back();
    thread.name = written.name;
    PointIndex last = Thread::begin;
    for (const WrittenStep& step : written.steps) last = std::max({last, step.from, step.to});
    thread.points.resize(last + 1);
    for (const WrittenStep& step : written.steps) thread.points[step.from].edges.push_back({step.to, step.acts});
    for (PointIndex p = Thread::begin; p <= last; ++p)
      for (std::uint32_t slot = 0; slot < slots; ++slot) thread.points[p].live.push_back(out.shared_count() + slot);
    mark_loops(thread);
  }
  return out;
}

/// What one model claims, by the checker.
inline std::expected<std::map<PlacePair, race::Proof>, std::string> check_in_one(
    const Model& of, const Annotation& claims, const std::set<PlacePair>& pairs,
    const std::set<std::string>& assumptions) {
  const proof::transaction::Part part{&of, &claims};
  return proof::transaction::check_transactions(std::span(&part, 1), pairs, assumptions);
}

}  // namespace heddle::judge::transaction
