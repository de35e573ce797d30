// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/wakeup_tree.h"

#include <algorithm>

#include "explore/dependence.h"

namespace heddle::explore {
namespace {

bool has_thread(ThreadIndex thread, const std::vector<Event>& sequence) {
  return std::ranges::any_of(sequence, [&](const Event& e) { return e.thread == thread; });
}

WakeupTree chain(const std::vector<Event>& sequence, std::size_t from) {
  WakeupTree tree;
  if (from < sequence.size()) tree.branches.push_back({sequence[from], chain(sequence, from + 1)});
  return tree;
}

}  // namespace

std::size_t initial_position(ThreadIndex thread, const std::vector<Event>& sequence) {
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    if (sequence[i].thread != thread) continue;
    for (std::size_t k = 0; k < i; ++k) {
      const bool creates = std::ranges::find(sequence[k].spawned, thread) != sequence[k].spawned.end();
      if (creates || dependent(sequence[k], sequence[i])) return sequence.size();
    }
    return i;
  }
  return sequence.size();
}

bool is_weak_initial(const Event& event, const std::vector<Event>& sequence) {
  if (has_thread(event.thread, sequence)) return initial_position(event.thread, sequence) < sequence.size();
  return std::ranges::none_of(sequence, [&](const Event& e) { return dependent(e, event); });
}

void WakeupTree::insert(std::vector<Event> sequence) {
  // Another outcome of a thread's choice is another event: it leads elsewhere.
  const auto leads_on = [&](const Branch& branch) {
    const std::size_t at = initial_position(branch.event.thread, sequence);
    if (at < sequence.size()) return sequence[at].choice == branch.event.choice;
    return is_weak_initial(branch.event, sequence);
  };
  WakeupTree* tree = this;
  while (true) {
    const auto branch = std::ranges::find_if(tree->branches, leads_on);
    if (branch == tree->branches.end()) break;
    if (const std::size_t at = initial_position(branch->event.thread, sequence); at < sequence.size())
      sequence.erase(sequence.begin() + static_cast<std::ptrdiff_t>(at));
    tree = &branch->rest;
    if (tree->empty() || sequence.empty()) return;
  }
  if (!sequence.empty()) tree->branches.push_back({sequence.front(), chain(sequence, 1)});
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
