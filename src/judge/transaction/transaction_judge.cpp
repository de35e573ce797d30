// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/transaction/transaction_judge.h"

#include <algorithm>
#include <iterator>

#include "judge/thread_model/build_model.h"
#include "judge/transaction/look.h"
#include "proof/transaction/checker.h"

namespace heddle::judge {

using namespace transaction;

namespace {

/// What is found in one model of the program, and then in another one.
struct Looked {
  std::vector<Finding> found;
  std::set<PlacePair> apart;
  std::set<std::string> assumptions;
  std::string why_not_more, why_no_model;
};

struct Subject {
  const Program& program;
  const api::ApiModels& models;
  FunctionId main;
};

/// First every place has its own name; what is left then is looked at with an element that stands for all of its array.
Looked look_at(const Subject& subject, std::set<PlacePair> left, BuildOptions how, const LookOptions& effort) {
  Looked out;
  for (const bool follows_elements : {false, true}) {
    how.places.clear();
    for (const auto& [first, second] : left) how.places.insert({first, second});
    how.follows_elements = follows_elements;
    const auto built = build_model(subject.program, subject.models, subject.main, how);
    if (!built && !follows_elements) out.why_no_model = built.error();
    if (!built) break;
    const std::set<Place>& first = built->visited;
    const std::set<Place>& second = follows_elements ? built->of_elements : built->visited;
    std::set<PlacePair> asked;
    std::ranges::copy_if(left, std::inserter(asked, asked.end()), [&](const PlacePair& pair) {
      return (first.contains(pair.first) && second.contains(pair.second)) ||
             (second.contains(pair.first) && first.contains(pair.second));
    });
    if (asked.empty()) continue;
    Findings found = look(built->model, asked, effort);
    out.why_not_more = std::move(found.why_not_more);
    if (!found.found.empty()) out.assumptions.insert(built->assumptions.begin(), built->assumptions.end());
    for (Finding& finding : found.found) {
      for (const PlacePair& pair : finding.apart) left.erase(pair);
      out.apart.insert(finding.apart.begin(), finding.apart.end());
      out.found.push_back(std::move(finding));
    }
    if (left.empty()) break;
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
  }
  if (open.empty()) return;
  const auto tell = [&](race::CaseFile& one, const std::string& why, bool is_worth_telling = false) {
    one.add(std::string(name()), race::NoOpinion{why, is_worth_telling});
  };
  Looked settled = look_at({program_, models_, main_}, {pairs.begin(), pairs.end()}, how, options_.look);
  if (!settled.why_no_model.empty()) {
    for (race::CaseFile* one : open) tell(*one, "no model of all threads together: " + settled.why_no_model, true);
    return;
  }
  const std::set<PlacePair>& apart = settled.apart;
  // Without a race in any interleaving of whole accesses, there are no other executions.
  const bool are_all_apart = options_.has_all_pairs && docket.obstacles.empty() &&
                             std::ranges::all_of(pairs, [&](const PlacePair& pair) { return apart.contains(pair); }) &&
                             std::ranges::none_of(docket.cases, [&](const race::CaseFile& one) {
                               return one.seen || one.verdict() == RaceVerdict::Confirmed;
                             });
  std::set<std::string>& assumptions = settled.assumptions;
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
