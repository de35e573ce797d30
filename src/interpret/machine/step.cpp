// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/machine/step.h"

#include "base/check.h"
#include "interpret/machine/run.h"
#include "interpret/sync/locks.h"

namespace heddle::interpret {
namespace {

/// The operations that are not an instruction: the end of a wait. The call that began it returns now.
void finish_waiting(Core& core, Thread& thread) {
  Slot result;
  if (thread.op == OpKind::Wake)
    result = Locks(core).wake();
  else if (thread.op == OpKind::BarrierLeave)
    core.recorder.add(EventKind::Acquire, thread.op_object);
  else
    return;
  core.frames.finish_call(thread, &result, 1);
}

/// Whether the step begins with an instruction that asks for admission.
bool asks_first(OpKind op) {
  return op != OpKind::Start && op != OpKind::Continue && op != OpKind::Wake && op != OpKind::BarrierLeave;
}

}  // namespace

StepResult run_step(Core& core, ThreadIndex index, std::uint64_t budget) {
  HEDDLE_CHECK(core.account.is_running(), "a step after the end of the run");
  core.threads.give_turn_to(index);
  core.threads.save(index);
  core.recorder.clear();
  Thread& thread = core.threads[index];
  const std::uint64_t before = core.account.instructions();
  StepResult result;
  try {
    core.gate.grant(asks_first(thread.op));
    finish_waiting(core, thread);
    result.kind = run(core, budget) ? StepResult::Kind::Stopped : StepResult::Kind::Finished;
  } catch (const RunOver&) {
    core.gate.leave_all_sections();
    result.kind = StepResult::Kind::Ended;
  } catch (const SectionFailed& why) {
    core.sections.fail(why);
    result.kind = StepResult::Kind::NotEnabled;
  }
  core.recorder.record_as_asked();
  result.instructions = core.account.instructions() - before;
  return result;
}

}  // namespace heddle::interpret
