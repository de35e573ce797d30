// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Second walk of a function: relative locksets (RELAY §3.2) and running threads at every block, a fixpoint over the
// events of symbolic execution that touch them.
//
//   void f(struct dev *d) {                entry: ({},{})
//     unlock(&d->m);                       ({},{d->m}): given back for the caller
//     if (trylock(&d->n) == 0)             pending: the branch tells
//       d->x = 1;                          ({d->n},{d->m})
//   }                                      joined: ({},{d->m}): held is what all ways hold
//
// Sound by intersection: a lock counts as held only if it is on all ways there, and a release by a name that may mean
// another lock takes that one away as well. If several branches ask for one value that does not change (`if (need)
// lock(); …; if (need) unlock();`), or calls that lock if it is not null, the fixpoint is made twice, with the value
// zero and not: two Variants. A block that only asks which way it was reached (`for (i = 0; !i; i = 1)`) hands on each
// way by itself. Visits each block two or three times; functions without such events are passed by.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "scan/execute/execution.h"
#include "scan/summarise/history_table.h"
#include "scan/summarise/thread_flow.h"

namespace heddle::scan {

struct LockState {
  static constexpr std::uint32_t none = ~0U;
  std::uint32_t lockset = 0;              ///< in LocksetTable
  std::uint32_t pending = none;           ///< an event whose result a branch may still tell
  std::uint32_t before = 0;               ///< the lockset in front of it
  ResultSign known = ResultSign::Always;  ///< what branches have told of it
  std::uint32_t history = 0;              ///< in HistoryTable
  std::uint32_t threads = 0;              ///< in ThreadFlow::states
  bool reached = false;
  bool ended = false;  ///< in a call that does not return
  friend bool operator==(const LockState&, const LockState&) = default;
  /// Whether they differ in histories at most.
  [[nodiscard]] bool is_like(LockState other) const {
    other.history = history;
    return *this == other;
  }
};

class LockFlow {
 public:
  LockFlow(const ScanInput& input, const FunctionBody& body, ValueNames& names, Execution& done);

  /// The states at the beginning of blocks, if the value that branches ask for is so; `Always`: it is not asked.
  struct Variant {
    ResultSign assumed = ResultSign::Always;
    std::vector<LockState> entry;  ///< by rank
  };
  /// One, or two: for zero and for everything else.
  [[nodiscard]] const std::vector<Variant>& variants() const { return variants_; }
  /// Steps, blocks and ways below are those of this variant.
  void look_at(const Variant& variant) { assumed_ = variant.assumed; }
  /// Whether a call in the block does one thing in one variant, and another in the other.
  [[nodiscard]] bool decides_in(std::uint32_t rank) const { return split_ != LockState::none && decides_[rank]; }
  /// When a variant holds, as far as callers can tell.
  [[nodiscard]] Condition condition_of(const Variant& variant) const;

  /// Targets of one call through a pointer are alternatives: each starts where the first did.
  struct Alternatives {
    std::uint32_t instruction = LockState::none;
    LockState first = {};
  };
  [[nodiscard]] LockState enter(std::uint32_t rank, LockState state);
  void step(std::uint32_t event, LockState& state, Alternatives& alternatives);
  /// At the end of a block.
  [[nodiscard]] LockState flow_block(std::uint32_t rank, const LockState& entry);
  /// Likewise, where it leads to this successor: to that of an exception from within the call that ends the block.
  [[nodiscard]] LockState flow_to(std::uint32_t rank, std::size_t successor, const LockState& entry);
  /// At the end of the way to a successor; none if the branch cannot go there.
  [[nodiscard]] std::optional<LockState> follow(const Variant& variant, std::uint32_t rank, std::size_t successor,
                                                const LockState& exit);
  /// What a branch on the result of the pending event tells. Of a call that may return an error as well, another
  /// branch may tell more.
  [[nodiscard]] LockState refine(const LockState& state, ResultSign sign);
  /// Whether it says less now. `is_around_loop`: what grows with every round has no bound.
  bool merge(LockState& into, const LockState& from, bool is_around_loop = false);

  [[nodiscard]] LocksetTable& locksets() { return locksets_; }
  [[nodiscard]] HistoryTable& histories() { return histories_; }
  [[nodiscard]] ThreadFlow& threads() { return threads_; }

 private:
  void run();
  void reach_states(Variant& variant);
  [[nodiscard]] bool may_go(const Variant& variant, std::uint32_t rank, std::size_t successor) const;
  [[nodiscard]] std::optional<std::size_t> only_way(std::uint32_t from, std::uint32_t rank) const;
  bool hand_on(const Variant& variant, std::uint32_t from, std::uint32_t rank, const LockState& edge,
               std::vector<LockState>& entry);
  [[nodiscard]] std::uint32_t find_split();
  [[nodiscard]] std::uint32_t deciding_value(const BoundCall& call) const;
  /// The callee's lockset when it returns, and its history.
  struct Exit {
    std::uint32_t lockset = 0, history = 0;
  };
  [[nodiscard]] Exit exit_of(const BoundCall& call) const;
  void return_from(std::uint32_t call, Exit theirs, LockState& state);
  [[nodiscard]] bool is_made_in_loop(std::uint32_t value) const;

  void take(const SymbolicEvent& event, LockState& state);
  void give_back(const SymbolicEvent& event, LockState& state);
  void apply(std::uint32_t number, LockState& state);
  void leave_thrown(const SymbolicEvent& event, LockState& state);
  void apply_call(std::uint32_t number, LockState& state);
  [[nodiscard]] std::optional<std::uint32_t> lockset_if(const LockState& state, ResultSign sign);

  const Program& program_;
  const FunctionBody& body_;
  const Function& f_;
  ValueNames& names_;
  const Execution& done_;
  ThreadFlow threads_;
  LocksetTable locksets_;
  HistoryTable histories_;
  std::vector<Variant> variants_;
  std::uint32_t split_ = LockState::none;    ///< the value that branches ask for
  std::vector<bool> decides_;                ///< by rank: a call there asks for it
  ResultSign assumed_ = ResultSign::Always;  ///< of the variant that is looked at
  std::vector<LockState> undecided_;         ///< by rank: what comes to a block on ways that it does not tell apart
};

}  // namespace heddle::scan
