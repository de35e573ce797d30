// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/shares/sights.h"

namespace heddle::explore {
namespace {

/// The numbers that are summed, of both kinds of statistics.
template <class Statistics, class Visit>
void visit_counts(Statistics& statistics, const Visit& visit) {
  visit(statistics.executions);
  visit(statistics.sleep_blocked);
  visit(statistics.refused);
  visit(statistics.left_out);
  visit(statistics.events);
}

template <class OfSights, class Visit>
void visit_all_counts(OfSights& sights, const Visit& visit) {
  visit_counts(sights.statistics, visit);
  visit(sights.pruning.checks);
  visit(sights.pruning.yes);
  visit(sights.pruning.skipped);
  visit(sights.pruning.looks);
  visit(sights.work);
  visit(sights.unconfirmed);
}

}  // namespace

void Sights::add(const Sights& other) {
  std::vector<std::uint64_t> theirs;
  visit_all_counts(other, [&](const std::uint64_t& count) { theirs.push_back(count); });
  std::size_t next = 0;
  visit_all_counts(*this, [&](std::uint64_t& count) { count += theirs[next++]; });
  if (counts.threads == 0) counts = other.counts;
  if (unreached.empty()) unreached = other.unreached;
  statistics.diverged = statistics.diverged || other.statistics.diverged;
  gaps.insert(other.gaps.begin(), other.gaps.end());
  for (const auto& [address, size] : other.atomics) add_atomic(address, size);
  saw_race = saw_race || other.saw_race;
  saw_disorder = saw_disorder || other.saw_disorder;
  within_budget = within_budget && other.within_budget;
}

void Sights::add_atomic(std::uint64_t address, std::uint64_t size) {
  atomics.insert({address, size});
  if (atomics.size() > 1)
    gaps.insert("several atomic objects, and accesses to them that are weaker than sequential consistency");
}

void write(ByteWriter& out, const Sights& sights) {
  visit_all_counts(sights, [&](const std::uint64_t& count) { out.number(count); });
  out.number((sights.statistics.complete ? 1U : 0U) | (sights.statistics.diverged ? 2U : 0U) |
             (sights.saw_race ? 4U : 0U) | (sights.saw_disorder ? 8U : 0U) | (sights.within_budget ? 16U : 0U));
  const SharedCounts& counts = sights.counts;
  out.number(counts.threads).number(counts.variables).number(counts.accesses).number(counts.locks);
  out.text(sights.unreached);
  out.number(sights.gaps.size());
  for (const std::string& gap : sights.gaps) out.text(gap);
  out.number(sights.atomics.size());
  for (const auto& [address, size] : sights.atomics) out.number(address).number(size);
}

Sights read_sights(ByteReader& in) {
  Sights sights;
  visit_all_counts(sights, [&](std::uint64_t& count) { count = in.number(); });
  const std::uint32_t flags = in.below(32);
  sights.statistics.complete = (flags & 1) != 0;
  sights.statistics.diverged = (flags & 2) != 0;
  sights.saw_race = (flags & 4) != 0;
  sights.saw_disorder = (flags & 8) != 0;
  sights.within_budget = (flags & 16) != 0;
  for (std::uint64_t* count :
       {&sights.counts.threads, &sights.counts.variables, &sights.counts.accesses, &sights.counts.locks})
    *count = in.number();
  sights.unreached = in.text();
  for (std::uint32_t left = in.count(); left > 0 && !in.failed(); --left) sights.gaps.emplace(in.text());
  for (std::uint32_t left = in.count(); left > 0 && !in.failed(); --left) {
    const std::uint64_t address = in.number();
    sights.atomics.insert({address, in.number()});
  }
  return sights;
}

}  // namespace heddle::explore
