// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/pairs/turns.h"

#include <algorithm>

namespace heddle::scan {

/// Nothing: it is not known who comes there.
std::optional<Turns::Entries> Turns::entries_at(Phase phase, std::uint32_t roots) const {
  if (!is_thread(phase)) return reach_.mains.empty() ? std::nullopt : std::optional(reach_.mains);
  if (roots == Reach::any_root) return std::nullopt;
  Entries out;
  for (const std::uint32_t root : reach_.root_sets[roots]) out.push_back(reach_.roots[root].entry);
  return out.empty() ? std::nullopt : std::optional(std::move(out));
}

std::optional<Turns::Entries> Turns::entries_at(const Candidate& access) const {
  return entries_at(access.phase, reach_.visit(access.holder, access.phase).roots);
}

EntryPoint Turns::point(FunctionId entry, const Candidate& access) const {
  return {entry, access.function, summaries_[access.function.index()].own[access.own].instruction};
}

/// The code starts several threads with it, whatever the system knows of them.
bool Turns::is_started_again(FunctionId entry) const {
  const auto root = std::ranges::find(reach_.roots, entry, &Root::entry);
  return root != reach_.roots.end() && root->creator.valid() && root->is_multiple;
}

std::optional<race::Separation> Turns::between(const Reach::Side& a, const Reach::Side& b) {
  if (preemption_ == nullptr) return std::nullopt;
  const auto threads = [](const Reach::Side& side) { return Threads(is_thread(side.phase), side.roots); };
  const auto [at, is_new] = in_turn_.try_emplace({threads(a), threads(b)});
  std::optional<std::string>& why = at->second;
  if (is_new) {
    const auto first = entries_at(a.phase, a.roots), second = entries_at(b.phase, b.roots);
    bool is_certain = first && second;
    for (std::size_t i = 0; is_certain && i < first->size(); ++i)
      for (std::size_t k = 0; is_certain && k < second->size(); ++k) {
        auto one = preemption_->why_in_turn((*first)[i], (*second)[k]);
        is_certain = one.has_value() && !((*first)[i] == (*second)[k] && is_started_again((*first)[i]));
        if (!why) why = std::move(one);
      }
    if (!is_certain) why.reset();
  }
  if (!why) return std::nullopt;
  return race::Separation{race::SeparationReason::InTurn, *why};
}

std::optional<race::Separation> Turns::between(const Candidate& a, const Candidate& b) {
  if (preemption_ == nullptr) return std::nullopt;
  const auto first = entries_at(a), second = entries_at(b);
  if (!first || !second) return std::nullopt;
  std::optional<race::Separation> found;
  for (const FunctionId one : *first)
    for (const FunctionId other : *second) {
      auto apart = preemption_->why_apart(point(one, a), point(other, b));
      if (!apart) return std::nullopt;
      if (one == other && apart->reason == race::SeparationReason::InTurn && is_started_again(one)) return std::nullopt;
      // A mask says more than that others could not come anyway.
      if (!found || found->reason == race::SeparationReason::InTurn) found = std::move(apart);
    }
  return found;
}

std::string Turns::why_together(const Candidate& a, const Candidate& b) {
  const auto first = preemption_ == nullptr ? std::nullopt : entries_at(a);
  const auto second = preemption_ == nullptr ? std::nullopt : entries_at(b);
  if (!first || !second) return {};
  for (const FunctionId one : *first)
    for (const FunctionId other : *second)
      if (!preemption_->why_apart(point(one, a), point(other, b)))
        return preemption_->why_together(point(one, a), point(other, b));
  return {};
}

}  // namespace heddle::scan
