// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/transaction/transaction_judge.h"

#include <algorithm>
#include <iterator>

#include "judge/thread_model/build_model.h"
#include "judge/transaction/look.h"
#include "proof/transaction/checker.h"

namespace heddle::judge {

using namespace transaction;

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
  const Findings settled = look(built->model, asked, options_.look);
  std::set<PlacePair> apart;
  for (const Finding& finding : settled.found) apart.insert(finding.apart.begin(), finding.apart.end());
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
  for (const Finding& finding : settled.found) {
    std::vector<proof::transaction::Part> parts;
    for (const Finding::Part& part : finding.parts) parts.push_back({part.model.get(), &part.annotation});
    const auto proofs = proof::transaction::check_transactions(parts, finding.apart, assumptions);
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
