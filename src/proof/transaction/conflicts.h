// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the checker of transactions knows of control: where steps lead, and which threads others have to wait for. It
// works on single resources, in a list, where the judge works on sets by kind.
#pragma once
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "proof/transaction/annotation.h"

namespace heddle::proof::transaction {

/// Where an edge leads as far as locks, starts and joins go.
struct Passage {
  enum class Kind : std::uint8_t { Goes, Waits, Wrong };
  Kind kind = Kind::Goes;
  Node to;
};
[[nodiscard]] Passage pass(const Node& node, ThreadIndex thread, const Edge& edge);

class Conflicts {
 public:
  Conflicts(const Model& model, const Annotation& claims, const std::set<PlacePair>& pairs);

  [[nodiscard]] const std::vector<Edge>& edges(const Node& node, ThreadIndex thread) const;
  /// Nobody else has to move at the node besides this thread.
  [[nodiscard]] bool moves_alone(const Node& node, ThreadIndex thread) const;

 private:
  /// One thing that a step uses: kind, number, and for a place its instruction; whether it changes it. A Sum is a
  /// variable that it adds something to. A Life is changed by who starts the thread; `more` is 1 where the thread ends.
  struct Use {
    enum class Kind : std::uint8_t { Variable, Sum, Lock, Life, Place, Everything };
    Kind kind = Kind::Variable;
    std::uint64_t which = 0, more = 0;
    bool changes = false;
    friend auto operator<=>(const Use&, const Use&) = default;
  };
  [[nodiscard]] std::vector<Use> uses(ThreadIndex thread, const Edge& edge) const;
  [[nodiscard]] bool is_sum(const Assign& assign) const;
  [[nodiscard]] bool clash(const Use& a, const Use& b) const;
  [[nodiscard]] const std::set<Use>& reach(ThreadIndex thread, PointIndex from, const std::vector<Hold>& closed) const;
  void cut_loops();

  const Model& model_;
  const Annotation& claims_;
  std::set<PlacePair> pairs_;
  std::vector<std::vector<bool>> cut_;  ///< by thread and point: every cycle has one of these
  mutable std::map<std::tuple<ThreadIndex, PointIndex, std::vector<Hold>>, std::set<Use>> reach_;
};

}  // namespace heddle::proof::transaction
