// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/cases/lock_orders.h"

#include <algorithm>

#include "api/action.h"
#include "scan/calls/called_model.h"

namespace heddle::scan {

LockOrders::LockOrders(const ScanFacts& facts, const Suspicions& suspicions)
    : facts_(facts), suspicions_(suspicions), text_(facts.input.program) {}

NamedHistory LockOrders::history_of(const Candidate& c) const {
  const FunctionSummary& summary = facts_.summaries[c.holder.index()];
  const AccessGroup& group = summary.groups[c.group];
  return history_at(facts_.input, facts_.names, {summary, group.lockset, group.history},
                    facts_.reach.visit(c.holder, c.phase), {group.node, c.offset});
}

void LockOrders::find_encounters_of_all() {
  if (is_ready_) return;
  is_ready_ = true;
  std::vector<std::uint32_t> asked;
  for (std::uint32_t i = 0; i < suspicions_.all.size(); ++i) {
    const NamedHistory first = history_of(suspicions_.all[i].first);
    if (!first.empty() && find_opposite(first, history_of(suspicions_.all[i].second))) asked.push_back(i);
  }
  if (asked.empty() || is_off()) return;
  std::vector<Encounter> found = find_encounters(facts_, suspicions_, asked);
  for (Encounter& one : found) {
    keep_own(one.first);
    keep_own(one.second);
    encounters_[one.suspicion].push_back(std::move(one));
  }
}

/// A thread's entry, and what is called through pointers that lead to very many: nobody says what they hold there.
void LockOrders::find_given_away() {
  for (std::uint32_t i = 0; i < facts_.summaries.size(); ++i) {
    const bool is_begin = std::ranges::any_of(facts_.reach.visits[i], &Visit::is_root);
    if ((is_begin || facts_.reach.is_wide_target[i]) && !facts_.summaries[i].interrupted.empty())
      givers_.emplace_back(i);
  }
}

bool LockOrders::is_off() {
  if (!is_off_) {
    is_off_ = jumps();
    find_given_away();
  }
  return *is_off_;
}

/// Whether a call is reached that does not return and of which no more is known, as longjmp.
bool LockOrders::jumps() const {
  const ScanInput& in = facts_.input;
  const auto is_jump = [&](const Function& f, const Instruction& code) {
    const api::Model* model = code.is_call() ? called_model(in.models, f, code) : nullptr;
    if (model == nullptr) return false;
    const auto has = [&]<class Action>() {
      return std::ranges::any_of(model->effects,
                                 [](const api::Effect& effect) { return api::get<Action>(effect).has_value(); });
    };
    return has.template operator()<api::DoUnsupported>() && has.template operator()<api::End>();
  };
  for (std::uint32_t i = 0; i < facts_.summaries.size(); ++i) {
    const Function& f = in.program.functions[FunctionId(i)];
    if (facts_.reach.is_reached(FunctionId(i)) &&
        std::ranges::any_of(f.instructions, [&](const Instruction& code) { return is_jump(f, code); }))
      return true;
  }
  return false;
}

bool LockOrders::is_given_away(std::uint32_t name) {
  const auto [at, is_new] = given_away_.try_emplace(name, false);
  if (!is_new) return at->second;
  const bool is_fixed = facts_.names[name].kind == LockNames::Name::Kind::Fixed;
  return at->second = std::ranges::any_of(givers_, [&](FunctionId giver) {
           const FunctionSummary& summary = facts_.summaries[giver.index()];
           std::vector<ReleasedLock> gone;
           for (const Interruption& one : summary.interrupted) gone.push_back({one.lock, one.depth, 0});
           std::vector<NamedLock> held{{name}};
           if (is_fixed) facts_.names.give_back(facts_.input, summary, gone, held);
           return !is_fixed || held.empty();
         });
}

void LockOrders::keep_own(NamedHistory& history) {
  std::erase_if(history, [&](const NamedRow& row) { return is_given_away(row.held.name); });
}

race::Meetings LockOrders::meetings(std::uint32_t suspicion) {
  find_encounters_of_all();
  race::Meetings out;
  const auto found = encounters_.find(suspicion);
  if (found == encounters_.end()) return out;
  for (const Encounter& one : found->second) {
    race::Meeting& meeting = out.all.emplace_back();
    std::map<std::uint32_t, std::uint32_t> first, second;
    meeting.first = order_of(one.first, first);
    meeting.second = order_of(one.second, second);
    for (const auto& [name, number] : first)
      if (const auto same = second.find(name); same != second.end()) meeting.one_lock.emplace(number, same->second);
  }
  out.is_complete = true;
  for (const std::string& name : facts_.input.assumptions.names()) out.assumptions.insert(name);
  out.assumptions.insert("owner-unlocks");
  out.assumptions.insert(always_assumed_of_orders);
  return out;
}

std::optional<race::Separation> LockOrders::between(const Candidate& a, const Candidate& b) {
  NamedHistory first = history_of(a), second = history_of(b);
  if (!find_opposite(first, second) || is_off()) return std::nullopt;
  keep_own(first);
  keep_own(second);
  const auto found = find_opposite(first, second);
  if (!found) return std::nullopt;
  return race::Separation{race::SeparationReason::OppositeOrders,
                          "'" + text_of(found->first) + "' and '" + text_of(found->second) + "'"};
}

race::LockOrder LockOrders::order_of(const NamedHistory& history, std::map<std::uint32_t, std::uint32_t>& numbers) {
  race::LockOrder out;
  const auto claimed = [&](const NamedLock& lock) {
    const auto [at, is_new] = numbers.try_emplace(lock.name, static_cast<std::uint32_t>(out.names.size()));
    if (is_new) out.names.push_back(text_of(lock.name));
    return race::ClaimedLock{at->second, lock.is_shared()};
  };
  for (const NamedRow& row : history) {
    race::HeldSince& held = out.rows.emplace_back(claimed(row.held));
    for (const NamedLock& taken : row.since) held.since.push_back(claimed(taken));
  }
  return out;
}

std::string LockOrders::text_of(std::uint32_t name) {
  const LockNames::Name& lock = facts_.names[name];
  switch (lock.kind) {
    case LockNames::Name::Kind::Fixed: return text_.print(facts_.names.paths().all(), {}, lock.path);
    case LockNames::Name::Kind::Relative: return "the lock " + std::to_string(lock.distance) + " bytes from it";
    case LockNames::Name::Kind::Below: return "the lock of what it points to";
    case LockNames::Name::Kind::Above: return "the lock of what it belongs to";
    case LockNames::Name::Kind::Alike: return "a lock of one kind";
  }
  return {};
}

}  // namespace heddle::scan
