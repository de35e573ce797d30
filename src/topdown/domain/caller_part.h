// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CallerPart: what a call neither sees nor changes of a state. It is taken out before the function is analysed and put
// back behind it, so that one analysis of a function serves all states that differ there only:
//
//   for (i = 0; i < n; i++) f(p);       at each turn i has another range, of which f(p) knows nothing
//
// It consists of values of the callers' frames, and of fresh objects (known to this thread alone) that nothing leads to
// from the arguments and from memory that everybody knows; with what is known of their symbols. But these stay:
//   - what mentions a symbol that the function knows too: one in an argument, in memory that it may reach or in the
//   name
//     of a held lock; and one that is bounded by, held together with or part of an expression over such a symbol;
//   - what mentions a symbol that may get a new number in the call: those named by a context below it, the frozen
//     content of a cell, addresses of objects that may be allocated, settle or become several there.
//
// Why nothing is lost: what is taken out and what stays have no symbol in common. Nothing below the call can mention
// a symbol that it does not hold or reach a fresh object that nothing leads to, so neither stores nor assumptions nor
// joins would have touched the part that was taken out; and nobody below redefines its symbols, so it is true behind
// the call as it was before.
//
// What it costs: a walk over environment, memory and infos for each call, mostly once.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "topdown/domain/state.h"

namespace heddle::topdown {

struct CallerPart {
  MapId environment = 0;
  MapId memory = 0;
  MapId infos = 0;
  MapId upper = 0;
  MapId lower = 0;
  MapId tickets = 0;
  MapId allocated = 0;
};

class CallerParts {
 public:
  explicit CallerParts(Universe& universe) : u(universe) {}

  /// `s` is the state at the entry of `callee`, with its parameters. `watched`: objects that must stay, since others
  /// ask for them by name.
  CallerPart take_out(State& s, ContextId callee, const std::vector<ObjectId>& watched);
  void put_back(State& s, const CallerPart& part);
  /// Behind a call of `callee` that was analysed from a state which covers `before` and others: gives back what
  /// `before` says of the callers' values, and takes away what only the others have.
  void restore(State& after, const State& before, ContextId callee);

 private:
  struct SymbolMark {
    std::uint32_t epoch = 0;
    bool is_known = false;   ///< the function may mention it
    bool is_wanted = false;  ///< something that is taken out mentions it
  };
  struct Entry {
    std::uint32_t key = 0;
    FormId form;
    SymbolId bounded;  ///< of a bound: the key
    ObjectId holder;   ///< of memory: the object of the cell
    bool is_reached = false;
    bool stays = false;
  };
  struct Entries {
    std::vector<Entry> environment, memory, upper, lower;
  };
  void begin(ContextId callee);
  void restore_values(State& after, const State& before) const;
  void restore_objects(State& after, const State& before) const;
  Entries entries_of(const State& s);
  bool settle(const State& s, std::vector<Entry>& entries);
  std::pair<MapId, MapId> divided(MapId map, const std::vector<Entry>& entries);
  void divide_allocated(State& s, CallerPart& part);
  void divide_infos(State& s, CallerPart& part);

  SymbolMark& mark(SymbolId symbol);
  /// Calls `visit` for each symbol that a symbol is made of and that stands for an unknown number: itself, mostly.
  template <class F>
  void for_each_leaf(SymbolId symbol, F&& visit) const;
  [[nodiscard]] bool is_below(ContextId context) const;  ///< of the call, or deeper
  /// The function may allocate the object, or get its address.
  [[nodiscard]] bool is_open(ObjectId object) const;
  [[nodiscard]] bool may_change(InfoId info) const;
  bool may_change(const State& s, SymbolId symbol);
  bool stays(const State& s, SymbolId symbol);
  bool stays(const State& s, FormId form);
  void know(SymbolId symbol);
  void know(FormId form);
  void want(FormId form);
  void reach(ObjectId object);
  void reach(InfoId info);
  void reach(const State& s, FormId form);

  Universe& u;
  ContextId callee_;
  std::uint32_t epoch_ = 0;
  std::vector<SymbolMark> marks_;       ///< by symbol
  std::vector<std::uint32_t> reached_;  ///< by object: the last epoch in which it was
  bool grew_ = false;                   ///< since somebody looked
};

}  // namespace heddle::topdown
