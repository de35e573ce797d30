// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/transaction/look.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "judge/thread_graphs/finish_model.h"
#include "judge/thread_graphs/movers.h"
#include "judge/thread_graphs/one_hot.h"
#include "judge/thread_graphs/seen_by_two.h"
#include "judge/thread_graphs/slice.h"

namespace heddle::judge::transaction {

namespace {

/// How much of the threads is looked at for one pair, one after the other until it is settled.
const SliceOptions wide_slices[] = {
    {.depth = 0}, {.depth = 1}, {.depth = 1, .has_addresses = true, .has_all_guards = true}};

/// Usually one variable keeps two accesses apart, or two; and rather a number than a pointer.
std::vector<SliceOptions> slices_of(const Model& raw, const PlacePair& pair) {
  constexpr std::size_t most_for_one = 12, most_for_two = 5;
  std::vector<SliceOptions> out;
  const std::set<VariableIndex> near = variables_of_slice(raw, pair, wide_slices[0]);
  std::vector<VariableIndex> order(near.begin(), near.end());
  std::ranges::sort(order, {},
                    [&](VariableIndex v) { return std::pair(raw.shared[v].range == Interval::of_width(64), v); });
  if (order.size() > most_for_one) order.resize(most_for_one);
  for (const VariableIndex one : order) out.push_back({.only = {one}, .depth = 1});
  if (order.size() > most_for_two) order.resize(most_for_two);
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i + 1; j < order.size(); ++j) out.push_back({.only = {order[i], order[j]}, .depth = 1});
  out.insert(out.end(), std::begin(wide_slices), std::end(wide_slices));
  return out;
}

class Look {
 public:
  Look(const Model& raw, const std::set<PlacePair>& asked, const LookOptions& options)
      : raw_(raw), options_(options), left_(asked), steps_(options.effort + options.effort_of_slices) {}

  Findings run() {
    if (settle_in(raw_, left_, options_.effort, true)) return std::move(out_);
    // That a lock was taken, although the thread has it, shows only where nothing is left out.
    if (!unruly_locks(raw_).empty()) return std::move(out_);
    for (const PlacePair& pair : std::set<PlacePair>(left_)) {
      for (const SliceOptions& how : slices_of(raw_, pair)) {
        if (!left_.contains(pair) || steps_ == 0) break;
        look_by_two(pair, how);
      }
      for (const SliceOptions& how : wide_slices) {
        if (!left_.contains(pair) || steps_ == 0) break;
        // What is too much stays so with more of the threads.
        if (!settle_in(slice(raw_, pair, how), {pair}, options_.effort_of_slice, how.has_all_guards)) break;
      }
    }
    return std::move(out_);
  }

 private:
  /// What is found with so much effort at most.
  Settled settled(const Model& model, const std::set<PlacePair>& pairs, std::uint64_t most) {
    const std::uint64_t given = std::min(most, steps_);
    Effort effort{given};
    Settled out = settle(model, {pairs.begin(), pairs.end()}, effort);
    steps_ -= given - effort.left;
    out_.why_not_more = out.why_not_more;
    return out;
  }

  /// False: it was too much.
  bool settle_in(Model model, const std::set<PlacePair>& pairs, std::uint64_t most, bool counts) {
    finish(model, counts);
    if (model.shared.size() > options_.most_shared) {
      out_.why_not_more = "too many variables matter in it";
      return false;
    }
    const auto kept = std::make_shared<const Model>(std::move(model));
    Settled found = settled(*kept, pairs, most);
    for (Claims& claims : found.claims) {
      for (const PlacePair& pair : claims.apart) left_.erase(pair);
      out_.found.push_back({{{kept, std::move(claims.annotation)}}, std::move(claims.apart)});
    }
    return found.why_not_more.empty();
  }

  /// All of the threads that may meet there have to be kept apart, two by two.
  void look_by_two(const PlacePair& pair, const SliceOptions& how) {
    Model part = slice(raw_, pair, how);
    reduce(part, how.has_all_guards);
    Finding finding{{}, {pair}};
    for (const auto& [first, second] : threads_that_meet(part, pair)) {
      std::optional<Model> seen = seen_by_two(part, first, second);
      if (!seen) return;
      take_numbers_apart(*seen);
      drop_variables(*seen);
      number(*seen);
      const auto kept = std::make_shared<const Model>(std::move(*seen));
      Settled found = settled(*kept, {pair}, options_.effort_of_slice / 3);
      if (found.claims.empty()) return;
      finding.parts.push_back({kept, std::move(found.claims.back().annotation)});
    }
    if (finding.parts.empty()) return;
    left_.erase(pair);
    out_.found.push_back(std::move(finding));
  }

  const Model& raw_;
  const LookOptions& options_;
  std::set<PlacePair> left_;
  std::uint64_t steps_;
  Findings out_;
};

}  // namespace

Findings look(const Model& raw, const std::set<PlacePair>& asked, const LookOptions& options) {
  return Look(raw, asked, options).run();
}

}  // namespace heddle::judge::transaction
