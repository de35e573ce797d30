// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A search for races that leaves out whole subspaces (PDP: Wang, Yang, Gupta, Gopalakrishnan: "Dynamic Model Checking
// with Property Driven Pruning to Detect Race Conditions", ATVA 2008).
//
//   T1: lock m; x++; unlock m   T2: lock m; x++; unlock m     the search by races of operations runs both orders. After
//                                                              the first, both rests hold m whenever they touch x, in
//                                                              whatever order: nothing is gone back to, one execution.
//
// **The base.** DPOR of Flanagan and Godefroid with sleep sets, on the visible operations of an Executor; with
// `prune = false` that is all there is. At the end of each execution the reversals of its races are asked for at the
// nodes in front of them. Clocks look at each execution for accesses that nothing orders.
//
// **The pruning.** A node is *quiet* if no execution that begins with its path E has an unordered pair of accesses one
// of which lies behind E (subspace.h finds out, from the execution that has just ended). From a quiet node nothing else
// is run. What lies behind a quiet node is quiet, so one depth describes all: everything from there on is given up.
//
// The paper only refuses points to go back to, and line 27 of its Fig. 7 then looks further back for events that depend
// on operations *that were run*. That loses races: the order that is not tried may have contained operations that never
// ran, and those may depend on still earlier events.
//
//   T1: a0: z++;  a1: {m: x=1};  a2: {n: y=1}     T2: b1: {n: c=y}; if (!c) { b2: {m: d=x}; if (!d) b3: z++; }
//
// So at a quiet node all that its threads *may* do is looked at: for each such operation o of a thread q, and each
// event e before the node on which o may depend and that does not happen before q's place there, q is asked for at the
// node of e (all threads that are enabled there, if q is not, or sleeps) unless that node is quiet itself.
//
// **Why nothing is lost.** Let I(w) be the threads whose first event in w depends on nothing before it in w. Claim:
// when the search leaves a node s with path E and sleep set Z (as it was entered), then for every w such that E.w can
// be run and no sleeper of Z is in I(w), (A) some path that was run from s has E.w as a beginning, in some order of
// independent steps, or (B) below s there is a quiet node with a path U such that E.w and U have a common continuation.
//
// By induction over the order in which nodes are left. If s is quiet, (B) holds with U = E. Otherwise let P be the
// threads that were run from s.
//   1. Some a in P is in I(w): take the one that was run first. Then E.a.(w without a) meets the claim's condition at
//      the child (a sleeper there that is in I of the rest is independent of a, so it is in I(w) as well: it is in Z,
//      which was excluded, or was run before a), and the child gives (A) or (B).
//   2. Every a in P is independent of all of w, and has no event in it: the child's claim for w gives (A) or (B); P is
//      not empty, because the first thread of w is enabled and does not sleep, or w is empty.
//   3. Otherwise let t be the first event of w that depends on the next event of some a in P, q its thread, and v what
//      comes before t in w. No thread of P has an event in v.t: its first one would be independent of what is before
//      it, so in I(w). The child E.a has the claim for v.t (or, if t has to wait behind a, for v).
//      (A) A path with a, v and t (or with q waiting at its end) was run, and the race between a and t was seen: a
//          thread was asked for at s that is first among the events that t needs, all of which are in v.t. So it is in
//          I(w), and in P or Z: a contradiction to case 1 or to the condition.
//      (B) A quiet node with a path U = E.a.u was met. If t is in u, as (A). If not, t is something that q may do
//      there;
//          it depends on a, and a does not happen before q's place, for q's events in u are in v. So q was asked for
//          at s, or all enabled threads were. The first thread of w is enabled and not in Z; with all enabled it is in
//          P. With q alone (which then does not sleep), q is in P, and has an event in v.t: a contradiction either way.
// At the root E and Z are empty. Let w be an execution with an unordered pair. (A): a path that was run continues it,
// and what two accesses lack in order they lack in every continuation: clocks saw it. (B): the common continuation has
// the pair. It does not have both halves in U, whose execution was looked at, so the quiet node was none. ∎
//
// Sleep sets and pruning go together because the claim never says that a sleeper's executions were *all* run, only that
// each was run or is free of races; and because looks ask for a thread that does not sleep, or for all. Outcomes of a
// choice are treated as threads are: a quiet node's other outcomes are given up, and a choice is a doubt (subspace.h).
//
// An execution in which a thread waits for ever, was cut or spins has an unknown rest: no node is quiet by it. The same
// holds where a thread might be created on a side that was not taken.
//
// **Grain.** Visible operations are synchronisation (ExecutionLimits::at_accesses = false); plain accesses are deeds of
// the steps. The pair found is the same at the grain of accesses, which costs more executions and gives nothing: a
// common lock makes its critical sections one transition at this grain already ("lock-atomicity"), for a lock and the
// unlock of another thread are never both enabled, and what lies between has no point to go back to.
//
// **Claims.** Only the absence of races: deadlocks and failed assertions of what was left out are not seen, and neither
// are its gaps. That it has no undefined behaviour besides races is assumed (`defined-elsewhere`).
//
// Cost: a check is about (behind + before) × behind accesses; it is made for the deepest point to go back to, and only
// if that is quiet for shallower ones, by halving.
#pragma once
#include "explore/search/search.h"

namespace heddle::explore {

struct PruneOptions {
  bool prune = true;
  bool at_accesses = false;  ///< the executor's grain
};

/// The columns of ATVA08's Table 1: transitions are `search.events`, traces are `search.executions`.
struct PruneStatistics {
  SearchStatistics search;
  std::uint64_t checks = 0;   ///< of subspaces
  std::uint64_t yes = 0;      ///< that were free of races
  std::uint64_t skipped = 0;  ///< points to go back to that were refused
  std::uint64_t looks = 0;    ///< points that were asked for by what threads may do
};

PruneStatistics pruned_search(Executor& executor, const PruneOptions& options, const SearchLimits& limits,
                              const Visitor& visit);
PruneStatistics pruned_search(Course& course, Executor& executor, const PruneOptions& options,
                              const SearchLimits& limits, const Visitor& visit);
/// Works on a part of a search (search/share.h). A quiet node of another share, or one on which others hang, ends it:
/// the report says so.
PruneStatistics pruned_search(Course& course, Executor& executor, const PruneOptions& options,
                              const SearchLimits& limits, const Visitor& visit, Share share, ShareReport& report);

}  // namespace heddle::explore
