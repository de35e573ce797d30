// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/replay.h"

namespace heddle::explore {

Result<ReplayedRace> replay(const Program& program, const api::ApiModels& models, const Schedule& schedule) {
  if (schedule.program != program_hash(program).hex())
    return error("the schedule belongs to another program (or another version of this one): its content is " +
                 schedule.program + ", this one's is " + program_hash(program).hex());
  RecordedChooser chooser;
  for (const Schedule::Value& value : schedule.values) chooser.add(value.thread, value.value);
  AccessMachine machine(program, models, chooser, schedule.max_threads);
  std::uint64_t number = 0;
  for (const Schedule::Slice& slice : schedule.slices)
    for (std::uint64_t i = 0; i < slice.steps; ++i, ++number)
      if (!machine.step(slice.thread))
        return error("step " + std::to_string(number) + ": thread " + std::to_string(slice.thread) +
                     " cannot go on there");
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
