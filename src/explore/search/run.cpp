// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/search/run.h"

#include <algorithm>

namespace heddle::explore {

using interpret::OutcomeKind;
using interpret::StepResult;
using interpret::ThreadIndex;

namespace {

interpret::MachineOptions machine_options(const RunLimits& limits) {
  interpret::MachineOptions options;
  options.max_threads = limits.threads;
  options.max_instructions = limits.instructions + limits.step_instructions;
  options.max_heap_bytes = 256ULL << 20;
  return options;
}

}  // namespace

std::uint32_t ThreadNames::name(std::uint32_t creator, std::uint32_t ordinal) {
  return names_.try_emplace({creator, ordinal}, static_cast<std::uint32_t>(names_.size() + 1)).first->second;
}

Run::Run(const Program& program, const api::ApiModels& models, const RunLimits& limits, LoggedChooser& chooser,
         bool keep_log)
    : limits_(limits),
      chooser_(chooser),
      machine_(program, models, machine_options(limits), chooser),
      keep_log_(keep_log) {
  threads_.emplace_back();
  live_.push_back(0);
  collect_enabled();
}

bool Run::step(ThreadIndex thread) {
  const std::size_t answers = chooser_.answers().size();
  const std::uint32_t epoch = keep_log_ ? detector_.clock(thread)[thread] : 0;
  const interpret::Machine::Mark before = machine_.mark();
  StepResult result = machine_.step(thread, limits_.step_instructions);
  instructions_ += result.instructions;
  bool parks = false;
  if (result.kind == StepResult::Kind::Ended) {
    // The step's accesses count, only its last instruction must not take place yet.
    parks = true;
    endings_.push_back(machine_.outcome());
    if (machine_.outcome().kind == OutcomeKind::CapReached) cut_ = true;
    const std::vector<interpret::Event> section = unfinished_section(machine_.events(), thread);
    machine_.undo_to(before);
    chooser_.rewind(answers);
    if (result.instructions > 1) result = machine_.step(thread, result.instructions - 1);
    if (result.kind == StepResult::Kind::Ended) {
      machine_.undo_to(before);
      chooser_.rewind(answers);
      if (!section.empty()) follow_step(thread, epoch, section);
    }
  }
  const bool happened = result.kind == StepResult::Kind::Stopped || result.kind == StepResult::Kind::Finished;
  if (!happened) chooser_.rewind(answers);
  if (happened) finish_step(thread, epoch, result);
  machine_.forget_marks();
  if (parks || result.kind == StepResult::Kind::Finished) std::erase(live_, thread);
  collect_enabled();
  return happened;
}

void Run::follow_step(ThreadIndex thread, std::uint32_t epoch, std::span<const interpret::Event> events) {
  detector_.follow(steps_, events);
  if (keep_log_) {
    log_.push_back({thread, machine_.instructions_of(thread), epoch, detector_.clock(thread)});
    log_bytes_ += sizeof(StepLog) + log_.back().clock.size() * sizeof(std::uint32_t);
  }
  ++steps_;
  if (detector_.race()) over_ = true;
}

void Run::finish_step(ThreadIndex thread, std::uint32_t epoch, const StepResult& result) {
  follow_step(thread, epoch, machine_.events());
  meet_new_threads();
  last_spun_ = result.instructions >= limits_.step_instructions;
  if (instructions_ >= limits_.instructions || bytes() >= limits_.memory) over_ = cut_ = true;
}

void Run::meet_new_threads() {
  for (const interpret::Event& event : machine_.events()) {
    if (event.kind != interpret::EventKind::Spawn) continue;
    const auto child = static_cast<ThreadIndex>(event.address);
    if (threads_.size() <= child) threads_.resize(child + 1);
    Thread& made = threads_[child];
    made.creator = event.thread;
    made.ordinal = threads_[event.thread].created++;
    const std::uint32_t number = ++instances_[{event.function.index(), event.instruction}];
    made.dormant = number > limits_.instances;
    if (made.dormant)
      capped_ = threads_[event.thread].is_saturated = true;
    else
      live_.push_back(child);
  }
}

void Run::collect_enabled() {
  enabled_.clear();
  if (over_) return;
  looks_ += live_.size();
  for (const ThreadIndex thread : live_)
    if (machine_.is_enabled(thread)) enabled_.push_back(thread);
  std::ranges::sort(enabled_);
  const auto is_saturated = [&](ThreadIndex thread) { return threads_[thread].is_saturated; };
  if (!std::ranges::all_of(enabled_, is_saturated)) std::erase_if(enabled_, is_saturated);
  if (enabled_.empty()) over_ = true;
}

ThreadIndex Run::child(ThreadIndex creator, std::uint32_t ordinal) const {
  for (std::size_t i = 1; i < threads_.size(); ++i)
    if (threads_[i].creator == creator && threads_[i].ordinal == ordinal) return static_cast<ThreadIndex>(i);
  return interpret::no_thread;
}

std::vector<std::uint32_t> Run::names(ThreadNames& names) const {
  std::vector<std::uint32_t> result(threads_.size());
  for (std::size_t i = 1; i < threads_.size(); ++i)
    result[i] = names.name(result[threads_[i].creator], threads_[i].ordinal);
  return result;
}

}  // namespace heddle::explore
