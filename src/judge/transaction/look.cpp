// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/transaction/look.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "judge/thread_graphs/finish_model.h"
#include "judge/thread_graphs/movers.h"
#include "judge/thread_graphs/one_hot.h"
#include "judge/thread_graphs/seen_by_two.h"
#include "judge/thread_graphs/slice.h"

namespace heddle::judge::transaction {

namespace {

constexpr std::size_t most_points = 600;  // of a slice that is worth a look

std::size_t points_of(const Model& model) {
  std::size_t out = 0;
  for (const Thread& thread : model.threads) out += thread.points.size();
  return out;
}

/// How much of the threads is looked at for one pair, one after the other until it is settled.
const SliceOptions wide_slices[] = {
    {.depth = 0}, {.depth = 1}, {.depth = 1, .has_addresses = true, .has_all_guards = true}};

/// Usually one variable keeps two accesses apart, or two; and rather a number than a pointer.
std::vector<SliceOptions> slices_of(const Model& raw, const SliceGround& ground, const PlacePair& pair) {
  constexpr std::size_t most_for_one = 12, most_for_two = 5;
  std::vector<SliceOptions> out;
  std::set<VariableIndex> near = variables_of_slice(raw, ground, pair, wide_slices[0]);
  std::erase_if(near, [&](VariableIndex v) { return raw.shared[v].tells_which; });
  if (near.empty()) return {};
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
      : raw_(raw), options_(options), left_(asked), steps_(options.effort + options.effort_of_slices) {
    price_ = points_of(raw) * points_of(raw) / 1500;  // what it costs to cut a slice out of it
  }

  Findings run() {
    if (settle_in(raw_, left_, options_.effort, true)) return std::move(out_);
    // That a lock was taken, although the thread has it, shows only where nothing is left out.
    if (!unruly_locks(raw_).empty()) return std::move(out_);
    ground_.emplace(raw_);
    for (const PlacePair& pair : std::set<PlacePair>(left_)) {
      known_.clear();
      const std::vector<SliceOptions> by_two = slices_of(raw_, *ground_, pair);
      for (const SliceOptions& how : by_two) {
        if (!left_.contains(pair) || !pay_for_slice()) break;
        look_by_two(pair, how);
      }
      for (const SliceOptions& how : wide_slices) {
        if (!left_.contains(pair) || !pay_for_slice()) break;
        // What is too much stays so with more of the threads.
        Model part = slice(raw_, *ground_, pair, how);
        if (points_of(part) > most_points) break;
        if (!settle_in(std::move(part), {pair}, options_.effort_of_slice, how.has_all_guards)) break;
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

  /// A slice is cut out of all points. False: nothing is left to pay for it.
  bool pay_for_slice() {
    if (steps_ <= price_) {
      steps_ = 0;
      out_.why_not_more = "the transaction graphs are too large";
      return false;
    }
    steps_ -= price_;
    return true;
  }

  /// False: it was too much. What is left is asked again with variables that tell one number from another.
  bool settle_in(Model model, const std::set<PlacePair>& pairs, std::uint64_t most, bool counts) {
    reduce(model, counts);
    Model told_apart = model;
    number(model);
    if (!settle_in_numbered(std::move(model), pairs, most)) return false;
    std::set<PlacePair> left;
    std::ranges::set_intersection(pairs, left_, std::inserter(left, left.end()));
    if (left.empty() || !take_numbers_apart(told_apart)) return true;
    drop_variables(told_apart);
    number(told_apart);
    return settle_in_numbered(std::move(told_apart), left, most);
  }

  bool settle_in_numbered(Model model, const std::set<PlacePair>& pairs, std::uint64_t most) {
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

  /// None: the pair may meet there.
  std::optional<Finding::Part> part_of(Model model, const PlacePair& pair) {
    const auto kept = std::make_shared<const Model>(std::move(model));
    Settled found = settled(*kept, {pair}, options_.effort_of_slice / 3);
    if (found.claims.empty()) return std::nullopt;
    return Finding::Part{kept, std::move(found.claims.back().annotation)};
  }

  /// All of the threads that may meet there have to be kept apart, two by two.
  void look_by_two(const PlacePair& pair, const SliceOptions& how) {
    Model part = slice(raw_, *ground_, pair, how);
    if (points_of(part) > most_points) return;
    reduce(part, how.has_all_guards);
    Finding finding{{}, {pair}};
    for (const auto& [first, second] : threads_that_meet(part, pair)) {
      std::optional<Model> seen = seen_by_two(part, first, second);
      if (!seen) return;
      (void)take_numbers_apart(*seen);
      drop_variables(*seen);
      number(*seen);
      const auto [known, is_new] = known_.try_emplace(*seen);
      if (is_new) known->second = part_of(std::move(*seen), pair);
      if (!known->second) return;
      finding.parts.push_back(*known->second);
    }
    if (finding.parts.empty()) return;
    left_.erase(pair);
    out_.found.push_back(std::move(finding));
  }

  const Model& raw_;
  std::optional<SliceGround> ground_;
  const LookOptions& options_;
  std::set<PlacePair> left_;
  std::uint64_t steps_, price_ = 0;
  std::map<Model, std::optional<Finding::Part>> known_;  ///< what came of models, for this pair
  Findings out_;
};

}  // namespace

Findings look(const Model& raw, const std::set<PlacePair>& asked, const LookOptions& options) {
  return Look(raw, asked, options).run();
}

}  // namespace heddle::judge::transaction
