// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Model: what the transaction judge keeps of a program: threads as graphs of small steps over integers and locks.
//
//   int n; void *t(void *) { lock(&m); if (n < 3) n++; unlock(&m); … }
//
//   0 -[take m]-> 1 -[x := n]-> 2 -[x < 3; y := x + 1]-> 3 -[n := y]-> 4 -[give m]-> …
//                               2 -[x >= 3]-------------------------> 4
//
// Every execution of the program is one of the model, step by step; the model has more. What is not followed (memory
// with an address that goes elsewhere, floats, pointers) is not there, and what depends on it may be any number.
//
// Variables: the shared ones first, in the same place for every thread, then the slots of the thread's own. A step is
// an edge with acts, done at once; at most one of them is something that other threads notice, or they are one atomic
// operation.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "numeric/interval.h"
#include "numeric/linear.h"
#include "program/model/program.h"

namespace heddle::proof::transaction {

using numeric::Interval;
using numeric::LinearForm;
using VariableIndex = std::uint32_t;
using LockIndex = std::uint32_t;
using ThreadIndex = std::uint32_t;
using PointIndex = std::uint32_t;

/// An instruction that accesses memory.
struct Place {
  FunctionId function;
  std::uint32_t instruction = 0;
  friend auto operator<=>(const Place&, const Place&) = default;
};

/// The variable becomes what the form is, read in a width with that range. `wraps`: it wraps around; otherwise it is
/// known to stay inside.
struct Assign {
  VariableIndex target = 0;
  LinearForm form;
  Interval range;
  bool wraps = true;
  friend auto operator<=>(const Assign&, const Assign&) = default;
};
/// Any number of the range.
struct Forget {
  VariableIndex target = 0;
  Interval range;
  friend auto operator<=>(const Forget&, const Forget&) = default;
};
/// The step is taken only if this holds. Both are numbers of 64 bits with a sign; unsigned predicates compare their
/// bits.
struct Guard {
  Predicate predicate = Predicate::Eq;
  LinearForm left, right;
  friend auto operator<=>(const Guard&, const Guard&) = default;
};
struct Take {
  LockIndex lock = 0;
  bool is_shared = false;
  friend auto operator<=>(const Take&, const Take&) = default;
};
struct Give {
  LockIndex lock = 0;
  friend auto operator<=>(const Give&, const Give&) = default;
};
struct Start {
  ThreadIndex thread = 0;
  friend auto operator<=>(const Start&, const Start&) = default;
};
struct Join {
  ThreadIndex thread = 0;
  friend auto operator<=>(const Join&, const Join&) = default;
};
/// An access that a warning is about. `address`: of its first byte, if that is known; as a number, which has no end:
/// what an object has behind its beginning has higher ones.
struct Visit {
  Place place;
  std::optional<LinearForm> address = {};
  std::uint64_t bytes = 0;
  friend auto operator<=>(const Visit&, const Visit&) = default;
};
using Act = std::variant<Assign, Forget, Guard, Take, Give, Start, Join, Visit>;

struct Edge {
  PointIndex to = 0;
  std::vector<Act> acts;
  friend auto operator<=>(const Edge&, const Edge&) = default;
};

struct Point {
  std::vector<Edge> edges;
  bool is_loop_head = false;
  std::vector<VariableIndex> live;  ///< slots whose content is still wanted; ascending
  friend auto operator<=>(const Point&, const Point&) = default;
};

struct Thread {
  static constexpr PointIndex ended = 0;  ///< the thread is over
  static constexpr PointIndex exits = 1;  ///< the program is over
  static constexpr PointIndex begin = 2;
  std::string name;
  std::vector<Point> points;
  friend auto operator<=>(const Thread&, const Thread&) = default;
};

struct SharedVariable {
  std::string name;
  std::optional<std::int64_t> initial = 0;  ///< none: any number
  Interval range;
  bool tells_which = false;  ///< of several objects; slices take it along with what it is of
  friend auto operator<=>(const SharedVariable&, const SharedVariable&) = default;
};

struct Model {
  std::vector<SharedVariable> shared;
  std::uint32_t slots = 0;  ///< of the thread that has most
  std::vector<std::string> locks;
  std::vector<Thread> threads;  ///< main first, which runs from the beginning
  std::vector<std::int64_t> thresholds;

  [[nodiscard]] std::uint32_t shared_count() const { return static_cast<std::uint32_t>(shared.size()); }
  [[nodiscard]] std::uint32_t variables() const { return shared_count() + slots; }
  [[nodiscard]] bool is_shared(VariableIndex variable) const { return variable < shared.size(); }
  friend auto operator<=>(const Model&, const Model&) = default;
};

}  // namespace heddle::proof::transaction
