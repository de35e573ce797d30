// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model as two of its threads see it: these two and main are as they were, and all others together are one thread,
// "the others", with one point, which does at any time what one of them does somewhere. How many they are does not
// matter then, and neither does where each of them is. What is lost by that is counted: how many of the others are in a
// region of their graphs.
//
//   lock(&m); while (busy) wait(); busy = 1; unlock(&m);   // here a thread is in the region "busy, by me"
//   …
//   lock(&m); busy = 0; signal(); unlock(&m);
//
//   the others, of that:   [busy = 0]; busy := 1; n := n + 1         n: how many are in the region
//                          [n >= 1]; busy := 0; n := n - 1           so nobody gives back what I have: n = 0 then
//
// A region are the points of a thread behind its last write of a variable: of one number, or what it added to it. Which
// points are in a region is a matter of luck; the counts are right for any.
//
// Sound: every execution of the model is one of this one. What one of the others does is a step of "the others" with
// the same acts; it holds the locks that it holds surely then; it was in the regions of its point, so none of their
// counts was 0.
#pragma once
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "judge/thread_graphs/model.h"

namespace heddle::judge::transaction {

/// Threads that there may be several of.
[[nodiscard]] std::vector<bool> that_are_several(const Model& model);
/// Which threads come to the places, one to each; the smaller one first.
[[nodiscard]] std::set<std::pair<ThreadIndex, ThreadIndex>> threads_that_meet(const Model& model,
                                                                              const PlacePair& pair);

/// `model`: reduced, but not numbered yet (finish_model.h). Its visits are those of the two threads. `first` and
/// `second` may be the same one if there are several of it. None: they are never both there.
[[nodiscard]] std::optional<Model> seen_by_two(const Model& model, ThreadIndex first, ThreadIndex second);

}  // namespace heddle::judge::transaction
