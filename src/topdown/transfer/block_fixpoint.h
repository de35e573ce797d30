// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BlockFixpoint: one function in one context, from one entry state, to its exits.
//
//   entry -> [block 0] -> edges -> [block 1] <-> [block 2] -> returns, unwinds
//
// Blocks are visited in the order of the control flow graph until no state at any block grows; at heads of loops what
// still grows after a few visits is widened, which ends it. Results are remembered by (context, entry state): within a
// round always, and over rounds as long as nothing they looked at in shared memory changed (FactReads). In the last
// round each instance is walked once more, from the states at its blocks, to record. The entry state is what the
// function can see of the state at the call (CallerParts), so one instance serves many calls. Where there are many
// instances, a function is analysed from a few more states, and then from one that covers all that come (entry_for);
// where those keep growing, the program is TooLarge. A coarse analysis asks for covering states only.
//
// Sound because every edge that may be taken is taken: a condition only removes the part of a state in which it surely
// does not hold.
#pragma once
#include <functional>
#include <map>
#include <set>
#include <span>

#include "topdown/actions/frame_ends.h"
#include "topdown/actions/thread_phase.h"
#include "topdown/transfer/atomics.h"
#include "topdown/transfer/calls.h"
#include "topdown/transfer/disjuncts.h"
#include "topdown/transfer/flow_facts.h"
#include "topdown/transfer/instructions.h"
#include "topdown/transfer/size_bounds.h"
#include "topdown/transfer/step_budget.h"

namespace heddle::topdown {

class BlockFixpoint {
 public:
  BlockFixpoint(FactReads& reads, const Values& values, Recorder& recorder, const ThreadPhase& phase,
                const FrameEnds& frames, FlowFacts& flow, Disjuncts& disjuncts, StepBudget& budget,
                Instructions& instructions, Atomics& atomics, Calls& calls, const SizeBounds& bounds)
      : d(values.d),
        u(values.u),
        reads_(reads),
        values_(values),
        recorder_(recorder),
        phase_(phase),
        frames_(frames),
        flow_(flow),
        disjuncts_(disjuncts),
        budget_(budget),
        instructions_(instructions),
        atomics_(atomics),
        calls_(calls),
        bounds_(bounds) {}

  const Exits& run_function(ContextId context, const State& entry);
  /// The state from which the function is analysed when it is called in this one: the same, or one that covers it and
  /// others.
  State entry_for(ContextId context, const State& entry);
  [[nodiscard]] bool is_coarse() const { return bounds_.coarse; }
  /// `keep`: nothing but shared memory has changed since the last round began, so that what did not look at the changes
  /// is still true.
  void start_round(bool is_final, bool keep);
  [[nodiscard]] const std::set<FunctionId>& reached() const { return reached_; }
  /// Is shown the states at the beginning of each block when they are recorded, so once they are final.
  using Viewer = std::function<void(Universe&, ContextId, BlockId, std::span<const State>)>;
  /// In this round a call came that the analysis of its function did not cover.
  [[nodiscard]] bool changed() const { return changed_; }
  void show_to(Viewer viewer) { viewer_ = std::move(viewer); }

 private:
  struct Instance {
    Exits exits;
    std::vector<States> in;  ///< by block, for recording; empty: not kept
    FactReads::Kept reads;
    std::uint32_t round = 0;     ///< in which it was found to be true
    std::uint32_t recorded = 0;  ///< in which it was recorded
  };
  using Edge = std::function<void(BlockId, const State&)>;
  [[nodiscard]] bool is_true(const Instance& instance) const;
  void find(ContextId context, const State& entry, Instance& instance);
  void fixpoint(ContextId context, const State& entry, Instance& instance);
  void keep_states(Instance& instance);
  void record_instance(ContextId context, Instance& instance);
  void run_block(ContextId context, BlockId block, const States& in, Exits& exits, const Edge& edge);
  void leave_block(const Site& site, BlockId block, States& states, Exits& exits, const Edge& edge);
  void take_switch(const Site& site, BlockId block, const State& s, const Edge& edge);
  void take_edge(ContextId context, BlockId from, BlockId to, State s, const Edge& edge);
  void transfer(const Site& site, States& states, Exits& exits);

  const Domain& d;
  Universe& u;
  FactReads& reads_;
  const Values& values_;
  Recorder& recorder_;
  const ThreadPhase& phase_;
  const FrameEnds& frames_;
  FlowFacts& flow_;
  Disjuncts& disjuncts_;
  StepBudget& budget_;
  Instructions& instructions_;
  Atomics& atomics_;
  Calls& calls_;
  const SizeBounds bounds_;
  std::map<std::pair<ContextId, State>, Instance> instances_;
  std::map<std::pair<ThreadId, FunctionId>, std::uint32_t> entries_;  ///< states that functions were analysed from
  struct Cover {
    struct Analysed {
      State from;
      std::uint32_t round = 0;
    };
    States states;
    std::uint32_t growths = 0;
    std::vector<Analysed> analysed;  ///< by state: what answers of this round rest on
    ObjectId answers;                ///< stands for them in FactReads
  };
  std::size_t take_in(ContextId context, Cover& cover, const State& entry);
  State entry_of_round(ContextId context, const State& entry);
  std::map<ContextId, Cover> covers_;  ///< states that cover several entries
  std::set<FunctionId> reached_;
  Viewer viewer_;
  bool final_round_ = false;
  bool changed_ = false;
  std::uint64_t growths_ = 0;  ///< of all covers, over all rounds
  std::uint32_t round_ = 0;
  std::size_t states_kept_ = 0;
};

}  // namespace heddle::topdown
