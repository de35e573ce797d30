// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// State: one disjunct of the product domain at one program point of one thread.
//
//   environment   values of the active frames            value    -> Form
//   memory        private memory, and all memory while the thread is alone    cell -> Form
//   infos         what is known of the symbols in those  symbol   -> Info
//   upper, lower  symbol <= form, symbol >= form: bounds that are no numbers, `i < n`      symbol -> Form
//   locks         surely held                            Form     -> locks::Hold          (RELAY §3: L+ from the entry)
//   history       what was acquired since a held lock was taken    Form -> Form -> locks::Mode (lock_history.h)
//   created       threads possibly started by this one   thread   -> once / more often
//   joined        threads that have surely ended         thread   -> 1
//   seen          what flags surely held at some time before, since others may run     cell -> Info
//   tickets       dealt out to it by a counter, still its own                            symbol -> Ticket
//   allocated     settled allocations                    object   -> once / more often
//   teams         that the thread is surely one of       object   -> TeamPlace
//   dealt         shares that were possibly dealt out to it, in this phase or fixed        label -> 1
//   loop          of a team, that began last             label
//   works_for     the one thread that has this number of a share     InheritedNumber -> thread
//
// All components are ids of maps in the Universe, so a state is a few words, copies are free and equality is exact.
//
// A symbol stands for one number. When its defining instruction runs again, whoever still holds the old number loses
// its identity first (`kill`): the form becomes opaque, an Info without a name. Joining two states gives every pair of
// different forms a merged symbol; equal pairs share it, which keeps relations such as "i == number of handles" for
// free.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "locks/hold.h"
#include "topdown/domain/universe.h"

namespace heddle::topdown {

using flow::MapId;

struct State {
  MapId environment = 0;
  MapId memory = 0;
  MapId infos = 0;
  MapId upper = 0;
  MapId lower = 0;
  MapId locks = 0;
  MapId history = 0;
  MapId created = 0;
  MapId joined = 0;
  MapId seen = 0;
  MapId tickets = 0;
  MapId allocated = 0;
  MapId teams = 0;
  MapId dealt = 0;
  std::uint32_t loop = 0;
  MapId works_for = 0;
  ThreadId thread;            ///< whose state this is
  bool parallel = false;      ///< other threads may be running: shared memory is not in `memory`
  bool was_parallel = false;  ///< they were at some time: absent shared cells are in SharedMemory, not initial
  friend auto operator<=>(const State&, const State&) = default;

  /// States that differ here are kept apart as long as the budget of disjuncts allows.
  [[nodiscard]] auto signature() const {
    return std::tuple(locks, created, joined, tickets, teams, parallel, was_parallel);
  }
};

/// How a lock is held, as the number that State::locks has for it.
constexpr std::uint32_t to_number(locks::Hold hold) {
  return static_cast<std::uint32_t>(hold.count) << 1 | static_cast<std::uint32_t>(hold.mode);
}
constexpr locks::Hold to_hold(std::uint32_t number) {
  return {static_cast<locks::Mode>(number & 1U), static_cast<std::uint8_t>(number >> 1)};
}

/// Where two states are merged: names the merged symbols.
struct MergePoint {
  ContextId context;
  std::uint32_t block = 0;
  bool is_loop_head = false;
  bool widen = false;
  const std::vector<std::int64_t>* thresholds = nullptr;
};

/// The operations on states that know nothing of instructions.
class Domain {
 public:
  explicit Domain(Universe& universe) : u(universe) {}

  Universe& u;

  /// What is known of a form in a state; `bits` is the width the form is read in.
  [[nodiscard]] InfoId info_of(const State& s, FormId form, unsigned bits) const;
  [[nodiscard]] InfoId info_of_symbol(const State& s, SymbolId symbol) const;
  [[nodiscard]] Interval interval_of(const State& s, FormId form, unsigned bits) const {
    return u.infos[info_of(s, form, bits)].number;
  }
  /// Any offset into the same objects.
  [[nodiscard]] InfoId blur(InfoId info, unsigned bits) const;

  /// A new number: earlier holders of the symbol lose its identity, then it is described by `info`.
  FormId define(State& s, SymbolId symbol, InfoId info) const;
  /// The symbol is the same number as the form from now on, which is put in its place.
  void replace(State& s, SymbolId symbol, FormId value) const;
  /// It is the same number, and keeps its name: the form is both of its bounds.
  void set_equal(State& s, SymbolId symbol, FormId value) const;
  /// What `set_equal` said of it; none: nothing.
  [[nodiscard]] FormId equal_to(const State& s, SymbolId symbol) const;
  void set_info(State& s, SymbolId symbol, InfoId info) const {
    s.infos = u.maps.set(s.infos, symbol.index(), info.index());
  }
  void kill(State& s, SymbolId symbol) const;
  /// Replaces every mention of `from` (a fresh object) by `to`.
  void rename_object(State& s, ObjectId from, ObjectId to) const;

  /// The part of a state in which the form is (not) zero; false: there is none.
  bool assume(State& s, FormId condition, unsigned bits, bool truth) const;
  bool assume_compare(State& s, Predicate predicate, FormId a, FormId b, unsigned bits) const;
  bool refine(State& s, SymbolId symbol, const std::function<Info(const Info&)>& change) const;

  /// `absent(state, cell)`: the form of a cell that is not in the state's memory.
  using AbsentCell = std::function<FormId(const State&, CellId)>;
  State merge(const State& a, const State& b, const MergePoint& at, const AbsentCell& absent) const;
  void collect_garbage(State& s) const;

  /// a <= b in every execution, by intervals and bounds. Forms are read as mathematical numbers: no wrap-around.
  [[nodiscard]] bool must_be_at_most(const State& s, FormId a, FormId b, int depth = 3) const;
  /// No value of the form wraps around in this width.
  [[nodiscard]] bool is_exact(const State& s, FormId form, unsigned bits) const;

 private:
  bool assume_equal(State& s, FormId a, FormId b, unsigned bits) const;
  bool assume_different(State& s, FormId a, FormId b, unsigned bits) const;
  bool assume_at_most(State& s, FormId a, Interval bound, unsigned bits) const;
  void note_bound(State& s, FormId less, FormId more, std::int64_t gap, unsigned bits) const;
};

}  // namespace heddle::topdown
