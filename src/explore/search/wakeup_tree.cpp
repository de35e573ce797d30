// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/search/wakeup_tree.h"

#include <algorithm>

#include "explore/search/dependence.h"

namespace heddle::explore {
namespace {

bool has_thread(ThreadIndex thread, const Sequence& sequence) {
  return std::ranges::any_of(sequence, [&](const Event* e) { return e->thread == thread; });
}

}  // namespace

std::size_t initial_position(ThreadIndex thread, const Sequence& sequence) {
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    if (sequence[i]->thread != thread) continue;
    for (std::size_t k = 0; k < i; ++k) {
      const std::vector<ThreadIndex>& spawned = sequence[k]->spawned;
      const bool creates = std::ranges::find(spawned, thread) != spawned.end();
      if (creates || dependent(*sequence[k], *sequence[i])) return sequence.size();
    }
    return i;
  }
  return sequence.size();
}

bool is_weak_initial(const Event& event, const Sequence& sequence) {
  if (has_thread(event.thread, sequence)) return initial_position(event.thread, sequence) < sequence.size();
  return std::ranges::none_of(sequence, [&](const Event* e) { return dependent(*e, event); });
}

const WakeupTree* WakeupTree::descend(Sequence& sequence) const {
  const Event* const reversed = sequence.back();
  // Another outcome of a thread's choice is another event: it leads elsewhere. All outcomes of what was run are tried.
  const auto leads_on = [&](const Branch& branch) {
    const std::size_t at = initial_position(branch.event.thread, sequence);
    if (at == sequence.size()) return is_weak_initial(branch.event, sequence);
    const std::uint32_t wanted = sequence[at] == reversed ? any_outcome : sequence[at]->choice;
    return wanted == branch.event.choice || wanted == any_outcome || branch.event.choice == any_outcome;
  };
  const WakeupTree* tree = this;
  while (true) {
    const auto branch = std::ranges::find_if(tree->branches, leads_on);
    if (branch == tree->branches.end()) return tree;
    if (const std::size_t at = initial_position(branch->event.thread, sequence); at < sequence.size())
      sequence.erase(sequence.begin() + static_cast<std::ptrdiff_t>(at));
    tree = &branch->rest;
    if (tree->empty() || sequence.empty()) return nullptr;
  }
}

void WakeupTree::insert(Sequence sequence) {
  const Event* const reversed = sequence.back();
  auto* tree = const_cast<WakeupTree*>(descend(sequence));
  if (tree == nullptr) return;
  for (const Event* event : sequence) {
    tree->branches.push_back({*event, {}});
    if (event == reversed) tree->branches.back().event.choice = any_outcome;
    tree = &tree->branches.back().rest;
  }
}

void WakeupTree::turn_to(ThreadIndex thread, std::uint32_t choice) {
  branches.erase(branches.begin());
  const auto wanted = std::ranges::find_if(
      branches, [&](const Branch& b) { return b.event.thread == thread && b.event.choice == choice; });
  if (wanted != branches.end()) {
    std::rotate(branches.begin(), wanted, wanted + 1);
    return;
  }
  Event event;
  event.thread = thread;
  event.choice = choice;
  branches.insert(branches.begin(), {std::move(event), {}});
}

}  // namespace heddle::explore
