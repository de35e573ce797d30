// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/check.h"
#include "interpret/core/core.h"

namespace heddle::interpret {

StepResult Core::step(ThreadIndex index, std::uint64_t budget) {
  HEDDLE_CHECK(outcome.kind == OutcomeKind::Running, "a step after the end of the run");
  current = index;
  touch_thread(index);
  Thread& thread = threads[index];
  events.clear();
  const std::uint64_t before = instructions;
  granted = true;
  StepResult result;
  try {
    const OpKind op = thread.op;
    if (op == OpKind::Start || op == OpKind::Continue || op == OpKind::Wake || op == OpKind::BarrierLeave)
      granted = false;
    if (op == OpKind::Wake) wake(thread);
    if (op == OpKind::BarrierLeave) leave_barrier(thread);
    result.kind = run(budget) ? StepResult::Kind::Stopped : StepResult::Kind::Finished;
  } catch (const RunOver&) {
    section_depth = 0;
    result.kind = StepResult::Kind::Ended;
  } catch (const SectionFailed& why) {
    section_failed(index, why);
    result.kind = StepResult::Kind::NotEnabled;
  }
  record = options.record;
  result.instructions = instructions - before;
  return result;
}

}  // namespace heddle::interpret
