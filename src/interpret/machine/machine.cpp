// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/machine/machine.h"

#include <algorithm>

#include "base/check.h"
#include "interpret/core/core.h"
#include "interpret/machine/set_up.h"
#include "interpret/machine/step.h"
#include "interpret/state/local_state.h"
#include "interpret/state/state_hash.h"

namespace heddle::interpret {

Machine::Machine(const Program& program, const api::ApiModels& models, MachineOptions options, Chooser& chooser)
    : core_(std::make_unique<Core>(program, std::move(options), chooser)) {
  set_up(*core_, models);
}
Machine::~Machine() = default;
Machine::Machine(Machine&&) noexcept = default;

std::size_t Machine::thread_count() const { return core_->threads.size(); }

ThreadStatus Machine::status(ThreadIndex thread) const {
  if (core_->threads[thread].status == ThreadStatus::Finished) return ThreadStatus::Finished;
  return is_enabled(thread) ? ThreadStatus::Runnable : ThreadStatus::Blocked;
}

OpKind Machine::pending_kind(ThreadIndex thread) const { return core_->threads[thread].op; }

Address Machine::pending_object(ThreadIndex thread) const { return core_->threads[thread].op_object; }

std::span<const TouchedBytes> Machine::pending_touches(ThreadIndex index) const {
  const Thread& thread = core_->threads[index];
  return {thread.touches.data(), thread.touch_count};
}

bool Machine::holds(ThreadIndex thread, Address lock) const {
  return std::ranges::any_of(core_->threads[thread].held, [&](const HeldLock& held) { return held.lock == lock; });
}

bool Machine::is_at_end(ThreadIndex thread) const {
  return core_->threads[thread].op == OpKind::Exit && core_->library.now().exit_calls.empty() &&
         core_->library.now().quick_exit_calls.empty() && core_->image.program.destructors.empty();
}

bool Machine::is_enabled(ThreadIndex thread) const { return core_->enabling.is_enabled(thread); }

std::vector<ThreadIndex> Machine::enabled() const {
  std::vector<ThreadIndex> out;
  out.reserve(core_->threads.size());
  for (ThreadIndex t = 0; t < core_->threads.size(); ++t)
    if (is_enabled(t)) out.push_back(t);
  return out;
}

PendingOp Machine::pending(ThreadIndex index) const {
  const Thread& thread = core_->threads[index];
  PendingOp out;
  out.kind = thread.op;
  out.enabled = is_enabled(index);
  out.footprint_known = thread.op != OpKind::Section && thread.op != OpKind::Exit;
  out.object = thread.op_object;
  out.footprint.assign(thread.touches.begin(), thread.touches.begin() + thread.touch_count);
  const std::vector<StackEntry> where = stack(index);
  if (!where.empty() && thread.op != OpKind::Start) {
    out.function = where.front().function;
    out.instruction = where.front().instruction;
  }
  return out;
}

std::vector<StackEntry> Machine::stack(ThreadIndex thread) const { return core_->threads.stack(thread); }
std::uint64_t Machine::instructions_of(ThreadIndex thread) const { return core_->threads[thread].instructions; }
FunctionId Machine::entry_of(ThreadIndex thread) const { return core_->threads[thread].entry; }
ThreadIndex Machine::creator_of(ThreadIndex thread) const { return core_->threads[thread].creator; }
std::uint32_t Machine::ordinal_of(ThreadIndex thread) const { return core_->threads[thread].ordinal; }
std::uint64_t Machine::argument_of(ThreadIndex thread) const { return core_->threads[thread].argument; }

StepResult Machine::step(ThreadIndex thread, std::uint64_t budget) {
  HEDDLE_CHECK(is_enabled(thread), "a step of a thread that is not enabled");
  const StepResult result = run_step(*core_, thread, budget);
  if (!core_->account.is_running()) return result;
  bool any = false, waits_for_section = false;
  for (ThreadIndex t = 0; t < core_->threads.size() && !any; ++t) {
    any = is_enabled(t);
    waits_for_section = waits_for_section ||
                        (core_->threads[t].op == OpKind::Section && core_->threads[t].status != ThreadStatus::Finished);
  }
  if (any) return result;
  if (waits_for_section)
    core_->account.end_waiting(OutcomeKind::Infeasible, "every thread waits for an assumption or is blocked", thread);
  else
    core_->account.end_waiting(OutcomeKind::Deadlock, "every thread is blocked", thread);
  return result;
}

StepResult Machine::probe(ThreadIndex thread, std::vector<TouchedBytes>& footprint) {
  const Mark here = mark();
  std::vector<Event> kept = core_->recorder.events();
  std::vector<Passage> passages = core_->recorder.passages();
  const StepResult result = run_step(*core_, thread, ~std::uint64_t{0});
  footprint.clear();
  for (const Event& event : core_->recorder.events()) {
    const bool is_atomic = event.kind == EventKind::AtomicRead || event.kind == EventKind::AtomicWrite;
    const bool is_access =
        is_atomic || event.kind == EventKind::Read || event.kind == EventKind::Write || event.kind == EventKind::Free;
    const bool is_write =
        event.kind == EventKind::Write || event.kind == EventKind::AtomicWrite || event.kind == EventKind::Free;
    if (is_access)
      footprint.push_back({event.address, event.size, is_write, is_atomic, false, event.kind == EventKind::Free});
    if (is_sync(event.kind)) footprint.push_back({event.address, event.size, true, false, true});
  }
  undo_to(here);
  core_->journal.pop_mark();
  core_->recorder.restore(std::move(kept), std::move(passages));
  return result;
}

std::span<const Event> Machine::events() const { return core_->recorder.events(); }
std::span<const Passage> Machine::passages() const { return core_->recorder.passages(); }
const FailedSection& Machine::failed_section() const { return core_->sections.failed(); }
std::vector<StackEntry> Machine::stack_of(const Event& event) const { return core_->recorder.stack_of(event); }

const RunOutcome& Machine::outcome() const { return core_->account.outcome(); }
std::span<const Note> Machine::notes() const { return core_->account.notes(); }
std::span<const std::string> Machine::inputs() const { return core_->account.inputs(); }
std::span<const char* const> Machine::doubts() const { return core_->account.doubts(); }
const std::string& Machine::output() const { return core_->account.output(); }
const std::string& Machine::error_output() const { return core_->account.errors(); }
std::uint64_t Machine::instructions() const { return core_->account.instructions(); }

Machine::Mark Machine::mark() { return core_->journal.push_mark(); }
void Machine::undo_to(Mark mark) { core_->journal.undo_to_mark(mark); }
void Machine::forget_marks() { core_->journal.forget_marks(); }

StateHash Machine::state_hash() const {
  return interpret::state_hash({core_->memory, core_->syncs, core_->threads, core_->library.now(), core_->image.decoded,
                                core_->image.live_slots});
}

std::optional<ContentHash> Machine::local_state(ThreadIndex thread) const {
  return interpret::local_state({core_->memory, core_->syncs, core_->threads, core_->library.now(),
                                 core_->image.decoded, core_->image.live_slots},
                                thread);
}

bool Machine::left_traces(ThreadIndex thread, Mark since, bool takes_locks) const {
  return interpret::left_traces(thread, core_->log.since(core_->journal.log_size_at(since)), core_->memory,
                                core_->recorder.events(), takes_locks);
}

std::vector<Address> Machine::held_locks(ThreadIndex thread) const {
  std::vector<Address> out;
  for (const HeldLock& held : core_->threads[thread].held) out.push_back(held.lock);
  std::ranges::sort(out);
  return out;
}

bool Machine::woke_by_itself(ThreadIndex thread) const {
  return !core_->threads[thread].was_signalled && !core_->threads[thread].is_timed;
}

Machine::Place Machine::place(Address address) const {
  Place out;
  const ObjectId id = core_->memory.find(address);
  if (id == 0) return out;
  const Object& object = core_->memory.object(id);
  out.known = true;
  out.offset = address - object.base;
  out.size = object.size;
  out.global = object.global;
  out.owner = object.owner;
  if (object.function.valid()) out.allocated_at.push_back({object.function, object.instruction});
  switch (object.kind) {
    case ObjectKind::Global:
    case ObjectKind::ThreadLocal: out.name = core_->image.program.globals[object.global].source_name; break;
    case ObjectKind::Heap: out.name = "heap"; break;
    case ObjectKind::Stack: out.name = "stack"; break;
    case ObjectKind::Library: out.name = "library"; break;
  }
  return out;
}

Address Machine::address_of(GlobalId global, ThreadIndex thread) const {
  if (!core_->image.program.globals[global].is_thread_local)
    return core_->image.placement.global_address[global.index()];
  return core_->memory.object(core_->frames.thread_local_object(thread, global)).base;
}

std::vector<std::uint8_t> Machine::bytes(Address address, std::size_t count) const {
  const ObjectId id = core_->memory.find(address);
  if (id == 0) return {};
  const Object& object = core_->memory.object(id);
  const std::uint64_t offset = address - object.base;
  if (count > object.size - offset) return {};
  return {object.data + offset, object.data + offset + count};
}

}  // namespace heddle::interpret
