// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/transaction/transaction_judge.h"

#include <algorithm>
#include <iterator>
#include <memory>

#include "judge/thread_graphs/finish_model.h"
#include "judge/thread_graphs/movers.h"
#include "judge/thread_graphs/slice.h"
#include "judge/thread_model/build_model.h"
#include "judge/transaction/settle.h"
#include "proof/transaction/checker.h"

namespace heddle::judge {

using namespace transaction;

namespace {

struct Found {
  std::shared_ptr<const Model> model;
  Claims claims;
};
struct Findings {
  std::vector<Found> found;
  std::string why_not_more;
};

/// How much of the threads is looked at for one pair, one after the other until it is settled.
const SliceOptions slices[] = {{.depth = 0}, {.depth = 1}, {.depth = 1, .has_addresses = true, .has_all_guards = true}};

/// Usually one variable keeps two accesses apart, or two; and rather a number than a pointer.
std::vector<SliceOptions> slices_of(const Model& raw, const PlacePair& pair) {
  constexpr std::size_t most_for_one = 12, most_for_two = 5;
  std::vector<SliceOptions> out;
  const std::set<VariableIndex> near = variables_of_slice(raw, pair, slices[0]);
  std::vector<VariableIndex> order(near.begin(), near.end());
  std::ranges::sort(order, {},
                    [&](VariableIndex v) { return std::pair(raw.shared[v].range == Interval::of_width(64), v); });
  if (order.size() > most_for_one) order.resize(most_for_one);
  for (const VariableIndex one : order) out.push_back({.only = {one}, .depth = 1});
  if (order.size() > most_for_two) order.resize(most_for_two);
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i + 1; j < order.size(); ++j) out.push_back({.only = {order[i], order[j]}, .depth = 1});
  out.insert(out.end(), std::begin(slices), std::end(slices));
  return out;
}

/// All pairs at once, in the whole model; if that is too much, each in slices of its own.
Findings look(const Model& raw, const std::set<PlacePair>& asked, const TransactionOptions& options) {
  Findings out;
  std::set<PlacePair> left = asked;
  std::uint64_t steps = options.effort + options.effort_of_slices;
  const auto settle_in = [&](Model model, const std::set<PlacePair>& pairs, std::uint64_t most, bool counts) {
    finish(model, counts);
    if (model.shared.size() > options.most_shared) {
      out.why_not_more = "too many variables matter in it";
      return false;
    }
    const auto kept = std::make_shared<const Model>(std::move(model));
    const std::uint64_t given = std::min(most, steps);
    Effort effort{given};
    Settled settled = settle(*kept, {pairs.begin(), pairs.end()}, effort);
    steps -= given - effort.left;
    out.why_not_more = settled.why_not_more;
    for (Claims& claims : settled.claims) {
      for (const PlacePair& pair : claims.apart) left.erase(pair);
      out.found.push_back({kept, std::move(claims)});
    }
    return settled.why_not_more.empty();
  };
  if (settle_in(raw, left, options.effort, true)) return out;
  // That a lock was taken, although the thread has it, shows only where nothing is left out.
  if (!unruly_locks(raw).empty()) return out;
  for (const PlacePair& pair : std::set<PlacePair>(left))
    for (const SliceOptions& how : slices_of(raw, pair)) {
      if (!left.contains(pair) || steps == 0) break;
      // What is too much stays so with more variables.
      const std::uint64_t most = how.only.empty() ? options.effort_of_slice : options.effort_of_slice / 3;
      const bool is_small = settle_in(slice(raw, pair, how), {pair}, most, how.has_all_guards);
      if (!is_small && how.only.empty()) break;
    }
  return out;
}

}  // namespace

void TransactionJudge::judge(race::Docket& docket, race::Evidence&) {
  std::vector<race::CaseFile*> open;
  std::vector<PlacePair> pairs;
  BuildOptions how;
  how.without = options_.without;
  how.declared_arrays = options_.declared_arrays;
  for (race::CaseFile& one : docket.cases) {
    if (!one.is_open() || one.seen) continue;
    const Place first{one.warning.first.function, one.warning.first.instruction};
    const Place second{one.warning.second.function, one.warning.second.instruction};
    open.push_back(&one);
    pairs.emplace_back(first, second);
    how.places.insert(first);
    how.places.insert(second);
  }
  if (open.empty()) return;
  const auto tell = [&](race::CaseFile& one, const std::string& why) {
    one.add(std::string(name()), race::NoOpinion{why, false});
  };
  const auto built = build_model(program_, models_, main_, how);
  if (!built) {
    for (race::CaseFile* one : open) tell(*one, "no model of the program: " + built.error());
    return;
  }
  const auto is_told = [&](const PlacePair& pair) {
    return built->visited.contains(pair.first) && built->visited.contains(pair.second);
  };
  std::set<PlacePair> asked;
  std::ranges::copy_if(pairs, std::inserter(asked, asked.end()), is_told);
  const Findings settled = look(built->model, asked, options_);
  std::set<PlacePair> apart;
  for (const Found& found : settled.found) apart.insert(found.claims.apart.begin(), found.claims.apart.end());
  // Without a race in any interleaving of whole accesses, there are no other executions.
  const bool are_all_apart = options_.has_all_pairs && docket.obstacles.empty() &&
                             std::ranges::all_of(pairs, [&](const PlacePair& pair) { return apart.contains(pair); }) &&
                             std::ranges::none_of(docket.cases, [&](const race::CaseFile& one) {
                               return one.seen || one.verdict() == RaceVerdict::Confirmed;
                             });
  std::set<std::string> assumptions = built->assumptions;
  if (!are_all_apart) assumptions.insert(race::races_interleave);
  if (!are_all_apart && options_.without.contains(race::races_interleave)) {
    for (race::CaseFile* one : open) tell(*one, "others may race for what a proof would rest on");
    return;
  }
  for (const Found& found : settled.found) {
    const auto proofs =
        proof::transaction::check_transactions(*found.model, found.claims.annotation, found.claims.apart, assumptions);
    if (!proofs) {
      docket.obstacles.push_back(
          {race::Obstacle::Kind::Bug, {}, "a proof by transactions does not check: " + proofs.error()});
      continue;
    }
    for (std::size_t i = 0; i < open.size(); ++i)
      if (const auto proof = proofs->find(pairs[i]); proof != proofs->end())
        open[i]->add(std::string(name()), race::Refuted{proof->second});
    for (const std::string& assumption : assumptions) docket.assume(assumption);
  }
  for (std::size_t i = 0; i < open.size(); ++i)
    if (open[i]->is_open())
      tell(*open[i], settled.why_not_more.empty() ? "both places can be next at once, as far as values of integers tell"
                                                  : settled.why_not_more);
}

}  // namespace heddle::judge
