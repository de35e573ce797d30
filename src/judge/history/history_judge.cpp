// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/history/history_judge.h"

#include <optional>

#include "proof/history_checker.h"

namespace heddle::judge {
namespace {

using proof::OppositeOrders;
using race::ClaimedLock;
using race::HeldSince;
using race::Meeting;

/// The place in a list of a lock that is one with `held` and was not taken beside it by a reader beside a reader.
template <class Same>
std::optional<std::uint32_t> find_taken(const std::vector<ClaimedLock>& since, const ClaimedLock& held,
                                        const Same& is_one_lock) {
  for (std::uint32_t i = 0; i < since.size(); ++i)
    if (!(since[i].is_shared && held.is_shared) && is_one_lock(since[i].lock, held.lock)) return i;
  return std::nullopt;
}

std::optional<OppositeOrders> find_orders(const Meeting& meeting) {
  const auto is_first = [&](std::uint32_t taken, std::uint32_t held) {
    return meeting.one_lock.contains({taken, held});
  };
  const auto is_second = [&](std::uint32_t taken, std::uint32_t held) {
    return meeting.one_lock.contains({held, taken});
  };
  for (std::uint32_t i = 0; i < meeting.first.rows.size(); ++i)
    for (std::uint32_t k = 0; k < meeting.second.rows.size(); ++k) {
      const HeldSince &first = meeting.first.rows[i], &second = meeting.second.rows[k];
      const auto of_first = find_taken(first.since, second.held, is_first);
      const auto of_second = of_first ? find_taken(second.since, first.held, is_second) : std::nullopt;
      if (of_second) return OppositeOrders{i, *of_first, k, *of_second};
    }
  return std::nullopt;
}

}  // namespace

race::Opinion HistoryJudge::look_at(const race::Warning& warning, race::Evidence& evidence, race::Budget& budget) {
  const race::Meetings meetings = evidence.meetings(warning);
  for (const std::string& name : meetings.assumptions)
    if (without_.contains(name)) return race::NoOpinion{"the orders of the locks rest on '" + name + "'"};
  std::vector<OppositeOrders> orders;
  for (const Meeting& meeting : meetings.all) {
    if (!budget.take(1 + meeting.first.rows.size() * meeting.second.rows.size()))
      return race::NoOpinion{"its budget is used up"};
    const auto found = find_orders(meeting);
    if (!found) return race::NoOpinion{"no two locks are taken in opposite orders"};
    orders.push_back(*found);
  }
  auto proof = proof::check_history(meetings, orders);
  if (!proof) return race::NoOpinion{proof.error()};
  return race::Refuted{std::move(*proof)};
}

}  // namespace heddle::judge
