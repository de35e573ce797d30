// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/prune/story.h"

#include <algorithm>

#include "explore/clocks/race_detector.h"

namespace heddle::explore {
Story::Story(Executor& executor, const Trace& trace) : steps_(trace.size()) {
  OtherSides* sides = executor.sides();
  if (sides == nullptr || !sides->obstacle().empty() || executor.steps() != trace.size() || !has_ended(executor, trace))
    return;
  const auto marks = sides->marks();
  if (!marks) return;
  items_.resize(executor.thread_count());
  read_deeds(executor, trace, *marks);
  for (ThreadIndex t = 1; t < births_.size(); ++t) births_[t].argument = executor.creation_of(t).argument;
  pair_branches();
  read_clocks(executor);
  is_whole_ = true;
}

/// A thread that waits for ever, was stopped or cut, or spins would have gone on: nothing is known of its rest.
bool Story::has_ended(Executor& executor, const Trace& trace) {
  for (ThreadIndex t = 0; t < executor.thread_count(); ++t) {
    const Standing standing = executor.standing(t);
    if (standing != Standing::Finished && standing != Standing::AtEnd) return false;
  }
  return !executor.has_misused_lock() && std::ranges::all_of(trace.events(), [](const Event& event) {
    return took_place(event) && !event.used_up && event.end != StepEnd::Halted;
  });
}

std::vector<StoryItem>& Story::items_of(ThreadIndex thread) {
  if (items_.size() <= thread) items_.resize(thread + 1);
  return items_[thread];
}

void Story::read_deeds(Executor& executor, const Trace& trace, const std::vector<std::vector<SideMark>>& marks) {
  births_.resize(executor.thread_count());
  uses_.resize(executor.thread_count());
  asked_.resize(executor.thread_count());
  for (std::uint32_t step = 0; step < trace.size(); ++step) {
    const ThreadIndex thread = trace[step].thread;
    const auto deeds = executor.deeds_of(step);
    const std::size_t first = items_of(thread).size();
    auto mark = marks[step].begin();
    bool in_section = false;
    for (std::uint32_t i = 0; i <= deeds.size(); ++i) {
      for (; mark != marks[step].end() && (mark->deed <= i || i == deeds.size()); ++mark) add_mark(*mark, thread, step);
      if (i < deeds.size()) add_deed(deeds[i], step, in_section);
    }
    if (trace[step].choices > 1) {
      if (items_of(thread).size() == first) items_of(thread).emplace_back().step = step;
      items_of(thread)[first].is_chosen = true;
    }
  }
}

/// What a library writes is told in front of the call. If that waits for something, it takes place in a later step.
void Story::add_mark(const SideMark& mark, ThreadIndex thread, std::uint32_t step) {
  std::vector<StoryItem>& items = items_of(thread);
  const auto at = static_cast<std::uint32_t>(items.size());
  StoryItem& item = items.emplace_back();
  item.step = step;
  item.side = mark.side;
  switch (mark.kind) {
    case SideMark::Kind::Begin: item.kind = StoryItem::Kind::Begin; return;
    case SideMark::Kind::End: item.kind = StoryItem::Kind::End; return;
    case SideMark::Kind::Asks: asked_[thread] = at; [[fallthrough]];
    case SideMark::Kind::Doubt: item.kind = StoryItem::Kind::Told; item.is_chosen = true;
  }
  if (mark.key == no_access) return;
  const std::vector<std::uint32_t> uses = uses_of(thread, mark.key);
  for (const std::uint32_t use : uses) {
    if (use < asked_[thread]) continue;
    StoryItem written = items[use];
    written.kind = StoryItem::Kind::Told;
    written.step = step;
    items.push_back(written);
  }
}

void Story::pair_branches() {
  for (std::vector<StoryItem>& items : items_) {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (items[i].kind == StoryItem::Kind::Begin) open.push_back(i);
      if (items[i].kind != StoryItem::Kind::End || open.empty()) continue;
      items[open.back()].end = static_cast<std::uint32_t>(i);
      open.pop_back();
    }
  }
}

void Story::add_deed(const Deed& deed, std::uint32_t step, bool& in_section) {
  std::vector<StoryItem>& items = items_of(deed.thread);
  if (deed.kind == DeedKind::SectionBegin) in_section = true;
  if (deed.kind == DeedKind::SectionEnd) in_section = false;
  const auto at = static_cast<std::uint32_t>(items.size());
  if (deed.kind == DeedKind::Spawn && deed.address < births_.size())
    births_[deed.address] = {deed.thread, step, at, {}};
  uses_[deed.thread][deed.key].push_back(at);
  StoryItem& item = items.emplace_back();
  item.step = step;
  item.deed = deed;
  item.in_section = in_section;
}

std::size_t Story::first_from(ThreadIndex thread, std::size_t step) const {
  const auto at = std::ranges::lower_bound(items_[thread], step, {}, &StoryItem::step);
  return static_cast<std::size_t>(at - items_[thread].begin());
}

const std::vector<std::uint32_t>& Story::uses_of(ThreadIndex thread, AccessKey key) const {
  static const std::vector<std::uint32_t> nowhere;
  const auto found = uses_[thread].find(key);
  return found == uses_[thread].end() ? nowhere : found->second;
}

void Story::read_clocks(Executor& executor) {
  RaceDetector detector;
  clocks_.resize(items_.size());
  for (std::size_t step = 0; step < steps_; ++step) {
    const auto deeds = executor.deeds_of(step);
    detector.follow(static_cast<std::uint32_t>(step), deeds);
    std::uint32_t epoch = 0;
    for (const Deed& deed : deeds)
      if (deed.kind == DeedKind::Spawn && deed.address < clocks_.size())
        clocks_[deed.address].push_back({step, detector.clock(static_cast<ThreadIndex>(deed.address))});
    if (!deeds.empty()) {
      const ThreadIndex thread = deeds.front().thread;
      const Clock& clock = detector.clock(thread);
      epoch = clock[thread];
      clocks_[thread].push_back({step, clock});
    }
    epochs_.push_back(epoch);
  }
}

const Clock& Story::clock_at(ThreadIndex thread, std::size_t step) const {
  static const Clock nothing;
  const std::vector<Moment>& moments = clocks_[thread];
  const auto behind = std::ranges::lower_bound(moments, step, {}, &Moment::step);
  if (behind != moments.begin()) return std::prev(behind)->clock;
  const ThreadIndex creator = births_[thread].creator;
  return creator == no_thread ? nothing : clock_at(creator, step);
}

}  // namespace heddle::explore
