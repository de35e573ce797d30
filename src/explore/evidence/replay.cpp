// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/evidence/replay.h"

#include <algorithm>

#include "explore/clocks/race_detector.h"
#include "explore/evidence/mark.h"
#include "explore/evidence/missing_edge.h"
#include "explore/executor/adjacent.h"

namespace heddle::explore {
namespace {

/// A schedule's execution, run to its end.
struct Replay {
  RecordedInputs inputs;
  std::unique_ptr<Executor> executor;
  ReplayedTrace trace;
};

std::string went_elsewhere(const race::Schedule::Slice& slice, std::uint32_t end) {
  return "the program went another way than when the schedule was made: thread " + std::to_string(slice.thread) +
         " did something else in its steps " + std::to_string(end - slice.steps) + " to " + std::to_string(end - 1) +
         "; does it depend on time, on addresses or on files that have changed?";
}

void ignore_step(std::uint32_t, const Executor&) {}

/// Empty: all steps were possible. `look` sees each step when it was made.
template <class Look>
std::string run_steps(const Subject& subject, const race::Schedule& schedule, Replay& replay, const Look& look) {
  if (schedule.program != subject.identity())
    return "the schedule belongs to another program (or another version of this one): its content is " +
           schedule.program + ", this one's is " + subject.identity();
  for (const race::Schedule::Value& value : schedule.values) replay.inputs.add(value.thread, value.value);
  replay.executor = subject.for_replay({.threads = schedule.max_threads}, replay.inputs);
  std::uint32_t number = 0;
  for (const race::Schedule::Slice& slice : schedule.slices) {
    Mark mark;
    for (std::uint64_t i = 0; i < slice.steps; ++i, ++number) {
      if (slice.thread < replay.executor->thread_count()) mark.add(replay.executor->next(slice.thread).key);
      if (replay.executor->step(slice.thread, 0).end == StepEnd::Refused)
        return "step " + std::to_string(number) + ": thread " + std::to_string(slice.thread) + " cannot go on there";
      for (const Deed& deed : replay.executor->deeds())
        if (deed.kind == DeedKind::Spawn) replay.trace.created.push_back(static_cast<ThreadIndex>(deed.address));
      look(number, *replay.executor);
    }
    replay.trace.marks.push_back(mark.value());
    if (slice.mark != 0 && slice.mark != mark.value()) return went_elsewhere(slice, number);
  }
  return {};
}

/// Of the two accesses.
std::uint64_t end_mark(const ReplayedRace& race) {
  Mark mark;
  mark.add(race.first_operation.key);
  mark.add(race.second_operation.key);
  return mark.value();
}

/// What every replayed race has.
Result<ReplayedRace> finish(ReplayedRace race, const race::Schedule& schedule, Replay& replay) {
  race.context_switches = schedule.slices.empty() ? 0 : schedule.slices.size() - 1;
  race.inputs = replay.executor->words().inputs();
  race.trace = std::move(replay.trace);
  race.trace.end_mark = end_mark(race);
  if (schedule.end_mark != 0 && schedule.end_mark != race.trace.end_mark)
    return error(
        "the schedule ran to its end, and its two threads race there with other accesses than before: the "
        "program went another way");
  return race;
}

NextOperation operation_of(const DetectedAccess& access) { return {access.deed.key, access.in_section}; }

/// The bytes that both touch.
Bytes common(const Deed& a, const Deed& b) {
  const std::uint64_t begin = std::max(a.address, b.address);
  return {begin, std::min(a.address + a.size, b.address + b.size) - begin};
}

/// Twice: what the pair is shows only at its second access, which is the last step. Whoever looks for one race has gone
/// past others.
Result<ReplayedRace> replay_unordered(const Subject& subject, const race::Schedule& schedule) {
  RaceDetector clocks(MemoryOrders::AsWritten, subject.looked_for());
  if (const std::uint64_t steps = schedule.steps(); steps != 0) clocks.look_from(static_cast<std::uint32_t>(steps - 1));
  WeakMessages messages;
  Replay first, second;
  const auto watch = [&](std::uint32_t number, const Executor& executor) {
    clocks.follow(number, executor.deeds());
    messages.follow(executor.deeds());
  };
  if (const std::string wrong = run_steps(subject, schedule, first, watch); !wrong.empty()) return error(wrong);
  const std::optional<DetectedRace>& pair = clocks.race();
  if (subject.memory_orders() != MemoryOrders::AsWritten || !pair || pair->second.step + 1 != schedule.steps() ||
      pair->first.deed.thread != schedule.first_thread || pair->second.deed.thread != schedule.second_thread)
    return error("the schedule ran to its end, and its last step makes no access that lacks an order");
  ReplayedRace race;
  race.second = first.executor->words().describe_made(pair->second.deed);
  const auto look_back = [&](std::uint32_t number, Executor& executor) {
    if (number == pair->first.step) race.first = executor.words().describe_made(pair->first.deed);
  };
  if (const std::string wrong = run_steps(subject, schedule, second, look_back); !wrong.empty()) return error(wrong);
  const Bytes bytes = common(pair->first.deed, pair->second.deed);
  race.first_operation = operation_of(pair->first);
  race.second_operation = operation_of(pair->second);
  race.variable = first.executor->words().name_of(bytes.address);
  race.value = first.executor->words().value_at(bytes);
  race.missing = messages.missing_edge(*pair, subject);
  return finish(std::move(race), schedule, first);
}

const char* name_of(EndingKind kind) {
  switch (kind) {
    case EndingKind::Deadlock: return "deadlock";
    case EndingKind::AssertionFailed: return "failed assertion";
    case EndingKind::Aborted: return "abort";
    case EndingKind::Crashed: return "crash";
    case EndingKind::LockMisused: return "misused lock";
    case EndingKind::Running:
    case EndingKind::Exited:
    case EndingKind::Infeasible:
    case EndingKind::LimitMet:
    case EndingKind::Unsupported: return "";
  }
  return "";
}

}  // namespace

std::optional<ReplayedEnding> failure_of(const Ending& ending) {
  if (!is_failure(ending.kind)) return std::nullopt;
  return ReplayedEnding{name_of(ending.kind), ending.what, {}, ending.stack};
}

Result<ReplayedEnding> replay_ending(const Subject& subject, const race::Schedule& schedule) {
  Replay replay;
  if (const std::string wrong = run_steps(subject, schedule, replay, ignore_step); !wrong.empty()) return error(wrong);
  const Words& words = replay.executor->words();
  std::optional<ReplayedEnding> ending = failure_of(words.ending());
  if (schedule.ending == race::Schedule::Ending::Deadlock) {
    if (!ending || replay.executor->state() != EndingKind::Deadlock)
      return error("the schedule ran to its end, and there is no deadlock there");
    for (ThreadIndex t = 0; t < replay.executor->thread_count(); ++t)
      if (const auto where = words.stack(t); !where.empty()) ending->stack.push_back(where.front());
    return *ending;
  }
  for (const Ending& misuse : words.misuses())
    if (!ending) ending = failure_of(misuse);
  if (!ending) return error("the schedule ran to its end, and nothing fails there");
  if (schedule.first_thread >= replay.executor->thread_count())
    return error("the schedule ran to its end, and there is no thread " + std::to_string(schedule.first_thread));
  ending->thread = words.thread_name(schedule.first_thread);
  return *ending;
}

Result<ReplayedRace> replay(const Subject& subject, const race::Schedule& schedule) {
  if (schedule.ending == race::Schedule::Ending::Unordered) return replay_unordered(subject, schedule);
  Replay replay;
  if (const std::string wrong = run_steps(subject, schedule, replay, ignore_step); !wrong.empty()) return error(wrong);
  Executor& end = *replay.executor;
  const bool are_there = std::max(schedule.first_thread, schedule.second_thread) < end.thread_count();
  const Bytes bytes = are_there ? racing_bytes(end, schedule.first_thread, schedule.second_thread) : Bytes{};
  if (bytes.size == 0) return error("the schedule ran to its end, and its two threads do not race there");
  ReplayedRace race;
  race.first = end.words().describe(schedule.first_thread, bytes);
  race.second = end.words().describe(schedule.second_thread, bytes);
  race.first_operation = end.next(schedule.first_thread);
  race.second_operation = end.next(schedule.second_thread);
  race.variable = end.words().name_of(bytes.address);
  race.value = end.words().value_at(bytes);
  return finish(std::move(race), schedule, replay);
}

}  // namespace heddle::explore
