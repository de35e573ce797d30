// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proof/history_checker.h"

#include <array>
#include <optional>
#include <set>

namespace heddle::proof {
namespace {

using race::ClaimedLock;
using race::HeldSince;
using race::LockOrder;
using race::Meeting;

enum Moment : std::uint8_t { T1, S1, T2, S2 };
constexpr std::size_t moment_count = 4;

/// What is known to be before what.
class Moments {
 public:
  void add(Moment earlier, Moment later) { before_[earlier][later] = true; }

  [[nodiscard]] bool has_cycle() const {
    auto reaches = before_;
    for (std::size_t via = 0; via < moment_count; ++via)
      for (std::size_t from = 0; from < moment_count; ++from)
        for (std::size_t to = 0; to < moment_count; ++to)
          reaches[from][to] = reaches[from][to] || (reaches[from][via] && reaches[via][to]);
    for (std::size_t at = 0; at < moment_count; ++at)
      if (reaches[at][at]) return true;
    return false;
  }

 private:
  std::array<std::array<bool, moment_count>, moment_count> before_{};
};

/// The row and the lock taken since, of one side.
struct Order {
  ClaimedLock held;
  ClaimedLock taken;
};

std::optional<Order> order_of(const LockOrder& side, std::uint32_t row, std::uint32_t taken) {
  if (row >= side.rows.size() || taken >= side.rows[row].since.size()) return std::nullopt;
  const Order out{side.rows[row].held, side.rows[row].since[taken]};
  if (out.held.lock >= side.names.size() || out.taken.lock >= side.names.size()) return std::nullopt;
  return out;
}

/// Nobody takes in this mode what another holds in that one.
bool keeps_out(const ClaimedLock& held, const ClaimedLock& taken) { return !(held.is_shared && taken.is_shared); }

bool is_impossible(const Meeting& meeting, const Order& first, const Order& second) {
  Moments moments;
  moments.add(T1, S1);
  moments.add(T2, S2);
  if (meeting.one_lock.contains({first.taken.lock, second.held.lock}) && keeps_out(second.held, first.taken))
    moments.add(S1, T2);
  if (meeting.one_lock.contains({first.held.lock, second.taken.lock}) && keeps_out(first.held, second.taken))
    moments.add(S2, T1);
  return moments.has_cycle();
}

std::string words(const std::set<std::pair<std::string, std::string>>& pairs) {
  const auto& [first, second] = *pairs.begin();
  std::string out = "'" + first + "' and '" + second + "' are taken in opposite orders: one thread holds '" + first +
                    "' and took '" + second + "' since, the other holds '" + second + "' and took '" + first +
                    "' since, so they are never at these accesses at the same time";
  if (pairs.size() > 1) out += " (likewise by " + std::to_string(pairs.size() - 1) + " other pairs of locks)";
  return out;
}

struct HistoryChecker : race::ProofChecker {
  static race::Proof made(const std::string& statement, const std::set<std::string>& assumptions) {
    return accept(race::Proof::Form::History, statement, assumptions);
  }
};

}  // namespace

std::expected<race::Proof, std::string> check_history(const race::Meetings& meetings,
                                                      const std::vector<OppositeOrders>& orders) {
  if (!meetings.is_complete) return std::unexpected("not all meetings are known");
  if (meetings.all.empty() || orders.size() != meetings.all.size())
    return std::unexpected("not every meeting has its two orders");
  std::set<std::pair<std::string, std::string>> pairs;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    const Meeting& meeting = meetings.all[i];
    const auto first = order_of(meeting.first, orders[i].first_row, orders[i].first_taken);
    const auto second = order_of(meeting.second, orders[i].second_row, orders[i].second_taken);
    if (!first || !second) return std::unexpected("an order that nobody claimed");
    if (!is_impossible(meeting, *first, *second)) return std::unexpected("two orders that do not exclude each other");
    pairs.emplace(meeting.first.names[first->held.lock], meeting.second.names[second->held.lock]);
  }
  return HistoryChecker::made(words(pairs), meetings.assumptions);
}

}  // namespace heddle::proof
