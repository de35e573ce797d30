// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/evidence/replay.h"

namespace heddle::explore {

using interpret::OutcomeKind;

namespace {

/// Empty: all steps were possible.
std::string run_steps(const Program& program, const Schedule& schedule, RecordedChooser& chooser,
                      AccessMachine& machine) {
  if (schedule.program != program_hash(program).hex())
    return "the schedule belongs to another program (or another version of this one): its content is " +
           schedule.program + ", this one's is " + program_hash(program).hex();
  for (const Schedule::Value& value : schedule.values) chooser.add(value.thread, value.value);
  std::uint64_t number = 0;
  for (const Schedule::Slice& slice : schedule.slices)
    for (std::uint64_t i = 0; i < slice.steps; ++i, ++number)
      if (!machine.step(slice.thread))
        return "step " + std::to_string(number) + ": thread " + std::to_string(slice.thread) + " cannot go on there";
  return {};
}

std::vector<ReportFrame> frames_of(const Program& program, const std::vector<interpret::StackEntry>& stack) {
  std::vector<ReportFrame> frames;
  for (const interpret::StackEntry& entry : stack) frames.push_back(frame_of(program, entry));
  return frames;
}

const char* kind_of(OutcomeKind kind) {
  switch (kind) {
    case OutcomeKind::Deadlock: return "deadlock";
    case OutcomeKind::AssertionFailed: return "failed assertion";
    case OutcomeKind::Aborted: return "abort";
    case OutcomeKind::UndefinedBehaviour: return "crash";
    default: return nullptr;
  }
}

}  // namespace

std::optional<ReplayedEnding> ending_of(const Program& program, const interpret::Outcome& outcome) {
  const char* kind = kind_of(outcome.kind);
  if (kind == nullptr) return std::nullopt;
  ReplayedEnding ending{kind, outcome.what, {}, {}};
  if (outcome.kind != OutcomeKind::Deadlock) ending.stack = frames_of(program, outcome.stack);
  return ending;
}

std::optional<ReplayedEnding> ending_of(const Program& program, const interpret::Note& note) {
  if (note.kind != interpret::Note::Kind::LockMisuse) return std::nullopt;
  return ReplayedEnding{"misused lock", note.what, {}, frames_of(program, note.stack)};
}

Result<ReplayedEnding> replay_ending(const Program& program, const api::ApiModels& models, const Schedule& schedule) {
  RecordedChooser chooser;
  AccessMachine machine(program, models, chooser, schedule.max_threads);
  if (const std::string wrong = run_steps(program, schedule, chooser, machine); !wrong.empty()) return error(wrong);
  const interpret::Machine& end = machine.machine();
  std::optional<ReplayedEnding> ending = ending_of(program, end.outcome());
  if (schedule.ending == Schedule::Ending::Deadlock) {
    if (!ending || end.outcome().kind != OutcomeKind::Deadlock)
      return error("the schedule ran to its end, and there is no deadlock there");
    for (interpret::ThreadIndex t = 0; t < end.thread_count(); ++t)
      if (const auto where = end.stack(t); !where.empty()) ending->stack.push_back(frame_of(program, where.front()));
    return *ending;
  }
  for (const interpret::Note& note : end.notes())
    if (!ending) ending = ending_of(program, note);
  if (!ending) return error("the schedule ran to its end, and nothing fails there");
  ending->thread = machine.thread_name(schedule.first_thread);
  return *ending;
}

Result<ReplayedRace> replay(const Program& program, const api::ApiModels& models, const Schedule& schedule) {
  RecordedChooser chooser;
  AccessMachine machine(program, models, chooser, schedule.max_threads);
  if (const std::string wrong = run_steps(program, schedule, chooser, machine); !wrong.empty()) return error(wrong);
  const interpret::Touch bytes = machine.racing_bytes(schedule.first_thread, schedule.second_thread);
  if (bytes.size == 0) return error("the schedule ran to its end, and its two threads do not race there");
  ReplayedRace race;
  race.first = machine.describe(schedule.first_thread, bytes);
  race.second = machine.describe(schedule.second_thread, bytes);
  race.variable = machine.name_of(bytes.address);
  race.value = machine.value_at(bytes);
  race.context_switches = schedule.slices.empty() ? 0 : schedule.slices.size() - 1;
  return race;
}

}  // namespace heddle::explore
