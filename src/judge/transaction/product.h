// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Product: where all threads of a model can be at once, and which of them have to be considered to move there (TACAS09
// §3, Algorithm 1): the transaction graph, without values.
//
//   <main at 7, t1 at 3, t2 not started>   t1 stands before `n := 1`, and nobody else can come to n: only t1 moves
//   <main at 7, t1 at 3, t2 at 3>          both stand before n: t1 moves, and t2 moves
//
// A thread moves alone if nothing that others can come to before it moves conflicts with its next step. What they can
// come to is what their graphs lead to, without passing a lock that it holds (step 8 of the algorithm), and without
// what lies behind edges that values have shown to be dead (§5): that one is dead may rest on its own reads. The paper
// leaves out what keeps a thread that goes round in such steps from starving the others: at the head of a loop no
// thread moves alone. So every cycle has a place where all move. Nor does one that its numbers may keep where it is for
// ever (proof/transaction/stuck.h).
//
// Sound for warnings: their two accesses conflict with each other, so a thread that stands before one waits there in
// some path of the graph for every thread that can come to the other.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "judge/thread_graphs/model.h"

namespace heddle::judge::transaction {

/// The model cannot be trusted there: a lock is taken twice, a thread is started twice.
struct Outside {
  std::string why;
};

class Product {
 public:
  /// `pairs`: what is asked for; each conflicts.
  Product(const Model& model, const std::vector<PlacePair>& pairs);

  [[nodiscard]] Node begin() const;
  /// Threads that move at the node; nobody else has to. `reduced`: false lets all move, always.
  [[nodiscard]] std::vector<ThreadIndex> movers(const Node& node, bool reduced = true) const;
  /// Where the locks, starts and joins of the edge lead; none: it has to wait. Throws Outside. Nodes in which the
  /// program is over do not exist: `is_over`.
  [[nodiscard]] std::optional<Node> follow(const Node& node, ThreadIndex thread, const Edge& edge) const;
  [[nodiscard]] static bool is_over(const Node& node);
  /// Two threads of which each has a place of one pair next.
  struct Meeting {
    ThreadIndex first = 0, second = 0;
    const Visit* at_first = nullptr;
    const Visit* at_second = nullptr;
  };
  [[nodiscard]] std::vector<Meeting> meetings(const Node& node) const;
  [[nodiscard]] bool is_loop_head(const Node& node) const;

  /// What the threads do next there matters to each other: the order in which they do it, or that both can.
  [[nodiscard]] bool depend(ThreadIndex a, PointIndex at_a, ThreadIndex b, PointIndex at_b) const {
    return conflict(next_[a][at_a], next_[b][at_b]);
  }

  /// By thread: edges that no execution takes.
  using Dead = std::vector<std::set<EdgeName>>;
  void leave_out(Dead dead);
  [[nodiscard]] bool is_dead(ThreadIndex thread, PointIndex point, std::size_t edge) const;

 private:
  /// What a step touches that others may notice.
  struct Footprint {
    std::set<VariableIndex> reads, writes;
    std::set<VariableIndex> adds;  ///< only changed by so much: in any order the sum is the same
    std::set<LockIndex> locks;
    std::set<ThreadIndex> starts, joins;
    std::set<ThreadIndex> ends;  ///< before that nobody may start it again
    std::set<Place> places;
    bool is_everything = false;
    [[nodiscard]] bool is_empty() const {
      return !is_everything && reads.empty() && writes.empty() && adds.empty() && locks.empty() && starts.empty() &&
             joins.empty() && ends.empty() && places.empty();
    }
    void add(const Footprint& other);
  };
  [[nodiscard]] Footprint footprint(ThreadIndex thread, const Edge& edge) const;
  void find_footprints();
  [[nodiscard]] bool conflict(const Footprint& a, const Footprint& b) const;
  [[nodiscard]] const Footprint& future(ThreadIndex thread, const LocalState& from,
                                        const std::vector<Hold>& closed) const;
  [[nodiscard]] bool moves_alone(const Node& node, ThreadIndex thread) const;
  [[nodiscard]] bool can_move(const Node& node, ThreadIndex thread) const;

  const Model& model_;
  std::set<PlacePair> pairs_;  ///< in both orders
  Dead dead_;
  std::vector<std::vector<Footprint>> next_;  ///< by thread and point: of its edges together
  std::vector<std::vector<bool>> goes_on_;    ///< by thread and point: its numbers never keep it there
  std::vector<std::vector<std::vector<const Visit*>>> visits_;
  struct FutureKey {
    ThreadIndex thread;
    PointIndex point;
    std::vector<Hold> closed;
    friend auto operator<=>(const FutureKey&, const FutureKey&) = default;
  };
  mutable std::map<FutureKey, Footprint> futures_;
};

}  // namespace heddle::judge::transaction
