// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Frontier: what is left of a search that several workers do, or that is done in pieces. It holds shares
// (search/share.h), gives them out, takes them back, cuts them in two when there are fewer than workers could use, and
// brings wishes to the shares that have the nodes.
//
//   Frontier left;
//   while (!left.is_over()) {
//     std::vector<SharedOut> done;
//     for (std::size_t number : left.next_round(8)) done.push_back({number, work_on(left.share(number))});
//     left.take_back(std::move(done));
//   }
//
// A share is cut behind a node from which something else is to be run: the rest of the current event's subtree becomes
// a share of its own, and the node goes on as if that event were done with. It sleeps from then on, as it would if its
// subtree had been searched first: sleep sets only need that somebody searches it. So every trace is visited as often
// as in one piece: once.
//
// A node stays as long as a share hangs on it: what is asked for there may still come. Which shares are given out
// depends on what was taken back and in which order, never on time: with rounds of one size the answer is the same
// for any number of workers.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "explore/search/share.h"

namespace heddle::explore {

struct SharedOut {
  std::size_t number = 0;
  ShareReport report;
};

class Frontier {
 public:
  Frontier() { parts_[0]; }

  /// Everything was visited.
  [[nodiscard]] bool is_over() const { return parts_.empty(); }
  /// Shares to be worked on, `most` at most, in a fixed order; none only if is_over.
  [[nodiscard]] std::vector<std::size_t> next_round(std::size_t most);
  [[nodiscard]] const Share& share(std::size_t number) const { return parts_.at(number).share; }
  /// All shares of a round together: what one asks for at a node of another comes behind what that one did itself.
  /// An error: a report does not fit (it comes from another process).
  Result<void> take_back(std::vector<SharedOut> round);
  /// How much of the search is done, from 0 to 1: each node's branches count alike, those not yet known do not.
  [[nodiscard]] double done() const;

  [[nodiscard]] std::string bytes() const;
  static Result<Frontier> from_bytes(std::string_view bytes);

 private:
  static constexpr std::size_t nobody = ~std::size_t{0};
  struct Part {
    Share share;
    std::size_t parent = nobody;
  };

  bool cut(std::size_t number);
  bool add_wish(std::size_t number, const Wish& wish);
  [[nodiscard]] std::size_t owner_of(std::size_t number, std::size_t depth) const;
  void give_up_behind(std::size_t number, std::size_t depth);
  void drop(std::size_t number);
  void tidy(std::size_t number);
  [[nodiscard]] std::size_t kept_by_children(std::size_t number) const;

  std::map<std::size_t, Part> parts_;
  std::size_t next_number_ = 1;
};

}  // namespace heddle::explore
