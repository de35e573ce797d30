// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/run.h"

#include <algorithm>

namespace heddle::explore {

using interpret::OutcomeKind;
using interpret::StepResult;
using interpret::ThreadIndex;

namespace {

interpret::MachineOptions machine_options(const RunLimits& limits) {
  interpret::MachineOptions options;
  options.max_threads = 20'000;
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
  const StepResult result = machine_.step(thread, limits_.step_instructions);
  instructions_ += result.instructions;
  if (result.kind == StepResult::Kind::NotEnabled) {
    machine_.forget_marks();
    chooser_.truncate(answers);
    collect_enabled();
    return false;
  }
  if (result.kind == StepResult::Kind::Ended && live_.size() > 1) {
    endings_.push_back(machine_.outcome());
    if (machine_.outcome().kind == OutcomeKind::CapReached) cut_ = true;
    machine_.undo_to(before);
    machine_.forget_marks();
    chooser_.truncate(answers);
    park(thread);
    return false;
  }
  detector_.follow(steps_, machine_.events());
  machine_.forget_marks();
  meet_new_threads();
  if (keep_log_) log_.push_back({thread, machine_.instructions_of(thread), epoch, detector_.clock(thread)});
  ++steps_;
  last_spun_ = result.instructions >= limits_.step_instructions;
  if (result.kind == StepResult::Kind::Finished) std::erase(live_, thread);
  if (result.kind == StepResult::Kind::Ended || detector_.race()) {
    if (result.kind == StepResult::Kind::Ended) endings_.push_back(machine_.outcome());
    over_ = true;
  }
  if (instructions_ >= limits_.instructions) over_ = cut_ = true;
  collect_enabled();
  return true;
}

void Run::park(ThreadIndex thread) {
  threads_[thread].parked = true;
  std::erase(live_, thread);
  collect_enabled();
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
      capped_ = true;
    else
      live_.push_back(child);
  }
}

void Run::collect_enabled() {
  enabled_.clear();
  if (over_) return;
  for (const ThreadIndex thread : live_)
    if (machine_.is_enabled(thread)) enabled_.push_back(thread);
  std::ranges::sort(enabled_);
  if (enabled_.empty()) over_ = true;
}

std::vector<std::uint32_t> Run::names(ThreadNames& names) const {
  std::vector<std::uint32_t> result(threads_.size());
  for (std::size_t i = 1; i < threads_.size(); ++i)
    result[i] = names.name(result[threads_[i].creator], threads_[i].ordinal);
  return result;
}

}  // namespace heddle::explore
