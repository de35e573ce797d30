// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/search/run.h"

#include <algorithm>

namespace heddle::explore {

std::uint32_t ThreadNames::name(std::uint32_t creator, std::uint32_t ordinal) {
  return names_.try_emplace({creator, ordinal}, static_cast<std::uint32_t>(names_.size() + 1)).first->second;
}

Run::Run(const Subject& subject, const RunLimits& limits, Inputs& inputs, PairWatch* watch)
    : limits_(limits),
      inputs_(inputs),
      executor_(subject.for_run(limits, inputs)),
      detector_(MemoryOrders::SequentiallyConsistent, subject.looked_for()) {
  if (subject.memory_orders() == MemoryOrders::AsWritten)
    by_order_.emplace(MemoryOrders::AsWritten, subject.looked_for());
  detector_.watch(watch);
  if (by_order_) by_order_->watch(watch);
  threads_.emplace_back();
  live_.push_back(0);
  collect_enabled();
}

bool Run::step(ThreadIndex thread) {
  const std::uint32_t epoch = detector_.clock(thread)[thread];
  const Event event = executor_->step(thread, 0);
  const bool happened = took_place(event);
  if (happened)
    finish_step(event, epoch);
  else if (!executor_->deeds().empty())
    follow_step(thread, epoch);
  if (event.end != StepEnd::Stopped && event.end != StepEnd::Refused) std::erase(live_, thread);
  collect_enabled();
  return happened;
}

void Run::follow_step(ThreadIndex thread, std::uint32_t epoch) {
  const auto number = static_cast<std::uint32_t>(log_.size());
  detector_.follow(number, executor_->deeds());
  if (by_order_) by_order_->follow(number, executor_->deeds());
  log_.push_back({thread, executor_->progress(thread), epoch, detector_.clock(thread)});
  log_bytes_ += sizeof(StepLog) + log_.back().clock.size() * sizeof(std::uint32_t);
  if (detector_.race()) over_ = true;
}

void Run::finish_step(const Event& event, std::uint32_t epoch) {
  follow_step(event.thread, epoch);
  meet_new_threads();
  last_spun_ = event.used_up;
  if (instructions() >= limits_.instructions || bytes() >= limits_.memory) over_ = cut_ = true;
}

void Run::meet_new_threads() {
  for (const Deed& deed : executor_->deeds()) {
    if (deed.kind != DeedKind::Spawn) continue;
    const auto child = static_cast<ThreadIndex>(deed.address);
    if (threads_.size() <= child) threads_.resize(child + 1);
    Thread& made = threads_[child];
    made.creator = deed.thread;
    made.ordinal = threads_[deed.thread].created++;
    const std::uint32_t number = ++instances_[deed.key];
    made.dormant = number > limits_.instances;
    if (made.dormant)
      capped_ = threads_[deed.thread].is_saturated = true;
    else
      live_.push_back(child);
  }
}

void Run::collect_enabled() {
  enabled_.clear();
  if (over_) return;
  looks_ += live_.size();
  for (const ThreadIndex thread : live_)
    if (executor_->is_enabled(thread)) enabled_.push_back(thread);
  std::ranges::sort(enabled_);
  const auto is_saturated = [&](ThreadIndex thread) { return threads_[thread].is_saturated; };
  if (!std::ranges::all_of(enabled_, is_saturated)) std::erase_if(enabled_, is_saturated);
  if (enabled_.empty()) over_ = true;
}

bool Run::was_cut() const {
  return cut_ || std::ranges::find(executor_->avoided(), EndingKind::LimitMet) != executor_->avoided().end();
}

ThreadIndex Run::child(ThreadIndex creator, std::uint32_t ordinal) const {
  for (std::size_t i = 1; i < threads_.size(); ++i)
    if (threads_[i].creator == creator && threads_[i].ordinal == ordinal) return static_cast<ThreadIndex>(i);
  return no_thread;
}

std::vector<std::uint32_t> Run::names(ThreadNames& names) const {
  std::vector<std::uint32_t> result(threads_.size());
  for (std::size_t i = 1; i < threads_.size(); ++i)
    result[i] = names.name(result[threads_[i].creator], threads_[i].ordinal);
  return result;
}

}  // namespace heddle::explore
