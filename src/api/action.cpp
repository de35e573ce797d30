// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/action.h"

namespace heddle::api {
namespace {

CallOutcome outcome_of(const Effect& e) { return {e.success, e.blocking, e.failure, e.granted}; }

LockRef object_lock(const Effect& e) { return {.kind = LockRef::Kind::Object, .object = e.object, .bytes = e.length}; }
LockRef named_lock(const Effect& e) { return {.kind = LockRef::Kind::Named, .name = e.note}; }
LockRef section() { return {.kind = LockRef::Kind::Section}; }

Action set_up(const Effect& e, SetUpObject::What what) {
  return SetUpObject{.what = what,
                     .object = e.object,
                     .value = e.value,
                     .recursive_if = e.argument,
                     .recursive = e.recursive,
                     .failure = e.failure,
                     .valid = e.valid,
                     .granted = e.granted,
                     .bytes = e.length};
}

Action touch(const Effect& e, Touch::Mode mode, Touch::Extent extent) {
  const bool is_variadic = extent == Touch::Extent::Variadic;
  return Touch{.mode = mode,
               .extent = extent,
               .object = e.object,
               .length = e.length,
               .fill = is_variadic ? Effect::none : e.value,
               .format = is_variadic ? e.value : Effect::none,
               .is_list = is_variadic && e.indirect,
               .name = e.note};
}

Action touch_atomic(const Effect& e, TouchAtomic::Step step) {
  return TouchAtomic{.step = step,
                     .object = e.object,
                     .length = e.length,
                     .value = e.value,
                     .indirect = e.indirect,
                     .expected = e.argument,
                     .operation = e.note};
}

Action leave_thread(const Effect& e, LeaveThread::How how) {
  return LeaveThread{.how = how,
                     .handle = e.object,
                     .indirect = e.indirect,
                     .result = e.value,
                     .several = e.several,
                     .outcome = outcome_of(e)};
}

Action use_condition(const Effect& e, UseCondition::Step step) {
  return UseCondition{.step = step,
                      .object = e.object,
                      .lock = e.lock,
                      .indirect = e.indirect,
                      .outcome = outcome_of(e),
                      .bytes = e.length};
}

Action run_once(const Effect& e, RunOnce::Step step) {
  return RunOnce{.step = step,
                 .object = e.object,
                 .entry = e.entry,
                 .argument = e.argument,
                 .success = e.success,
                 .bytes = e.length};
}

Action use_thread_value(const Effect& e, UseThreadValue::Step step) {
  return UseThreadValue{.step = step, .key = e.object, .value = e.value, .destructor = e.entry, .success = e.success};
}

Action return_value(const Effect& e, ReturnValue::What what) {
  return ReturnValue{.what = what,
                     .object = e.object,
                     .name = e.note,
                     .per_thread = e.per_thread,
                     .holds_key = e.holds_key,
                     .team = e.lock,
                     .lowest = e.value,
                     .highest = e.argument};
}

Action start_thread(const Effect& e) {
  return StartThread{.entry = e.entry,
                     .argument = e.argument,
                     .handle = e.handle,
                     .attributes = e.value,
                     .handle_returned = e.handle_returned,
                     .indirect = e.indirect,
                     .entry_slot = e.entry_slot,
                     .after_slot = e.after_slot,
                     .several = e.several,
                     .success = e.success,
                     .granted = e.granted};
}

Action run_later(const Effect& e, RunLater::When when) {
  return RunLater{.when = when, .entry = e.entry, .argument = e.argument, .context = e.context};
}

Action run_outside(const Effect& e) {
  return RunLater{.when = RunLater::When::Outside,
                  .entry = e.entry,
                  .argument = e.argument,
                  .context = e.context,
                  .priority = e.value,
                  .number = e.lock,
                  .priority_member = e.note,
                  .lower_first = e.indirect};
}

End::Of end_of(std::string_view note) {
  if (note == "exit") return End::Of::Exit;
  return note == "terminate" ? End::Of::Terminate : End::Of::Program;
}

Action make_memory(const Effect& e, Argument into, Argument old) {
  return MakeMemory{
      .into = into, .old = old, .length = e.length, .zeroed = e.zeroed, .success = e.success, .granted = e.granted};
}

}  // namespace

Action action_of(const Effect& e) {
  switch (e.kind) {
    case EffectKind::Acquire: return TakeLock{object_lock(e), e.mode, e.recursive, outcome_of(e)};
    case EffectKind::AcquireNamed: return TakeLock{named_lock(e), e.mode, e.recursive, outcome_of(e)};
    case EffectKind::AtomicBegin: return TakeLock{section(), LockMode::Exclusive, false, {}};
    case EffectKind::Release: return GiveLock{object_lock(e)};
    case EffectKind::ReleaseNamed: return GiveLock{named_lock(e)};
    case EffectKind::AtomicEnd: return GiveLock{section()};
    case EffectKind::LockInit: return set_up(e, SetUpObject::What::Lock);
    case EffectKind::LockDestroy: return set_up(e, SetUpObject::What::LockEnd);
    case EffectKind::SetUp: return set_up(e, SetUpObject::What::Other);
    case EffectKind::SetRecursive: return set_up(e, SetUpObject::What::LockKind);
    case EffectKind::SetDetached: return set_up(e, SetUpObject::What::ThreadKind);
    case EffectKind::BarrierInit: return set_up(e, SetUpObject::What::Barrier);
    case EffectKind::SemInit: return set_up(e, SetUpObject::What::Semaphore);
    case EffectKind::Spawn: return start_thread(e);
    case EffectKind::Root: return run_outside(e);
    case EffectKind::AtExit: return run_later(e, e.per_thread ? RunLater::When::ThreadEnd : RunLater::When::ProgramEnd);
    case EffectKind::AtTerminate: return run_later(e, RunLater::When::Terminate);
    case EffectKind::AtExceptionEnd: return run_later(e, RunLater::When::ExceptionEnd);
    case EffectKind::ExceptionEnd: return CallBack{.ends_exception = true};
    case EffectKind::Join: return leave_thread(e, LeaveThread::How::Join);
    case EffectKind::Detach: return leave_thread(e, LeaveThread::How::Detach);
    case EffectKind::Wait: return use_condition(e, UseCondition::Step::Wait);
    case EffectKind::Signal: return use_condition(e, UseCondition::Step::Signal);
    case EffectKind::Broadcast: return use_condition(e, UseCondition::Step::Broadcast);
    case EffectKind::BarrierWait: return WaitAtBarrier{WaitAtBarrier::Step::Wait, e.object, e.length};
    case EffectKind::TeamJoin: return WaitAtBarrier{WaitAtBarrier::Step::Join, e.object, e.length};
    case EffectKind::TeamLeave: return WaitAtBarrier{WaitAtBarrier::Step::Leave, e.object, e.length};
    case EffectKind::TeamLoop: return WaitAtBarrier{WaitAtBarrier::Step::Loop, e.object, e.length};
    case EffectKind::SemWait: return UseSemaphore{UseSemaphore::Step::Wait, e.object, outcome_of(e), e.length};
    case EffectKind::SemPost: return UseSemaphore{UseSemaphore::Step::Post, e.object, outcome_of(e), e.length};
    case EffectKind::Once: return run_once(e, RunOnce::Step::Call);
    case EffectKind::OnceBegin: return run_once(e, RunOnce::Step::Begin);
    case EffectKind::OnceEnd: return run_once(e, RunOnce::Step::End);
    case EffectKind::OnceAbort: return run_once(e, RunOnce::Step::Abort);
    case EffectKind::TlsCreate: return use_thread_value(e, UseThreadValue::Step::Create);
    case EffectKind::TlsGet: return use_thread_value(e, UseThreadValue::Step::Get);
    case EffectKind::TlsSet: return use_thread_value(e, UseThreadValue::Step::Set);
    case EffectKind::Allocate: return make_memory(e, e.object, Effect::none);
    case EffectKind::Reallocate: return make_memory(e, Effect::none, e.object);
    case EffectKind::Free: return touch(e, Touch::Mode::Free, Touch::Extent::Object);
    case EffectKind::EndLocal: return touch(e, Touch::Mode::End, Touch::Extent::Object);
    case EffectKind::Use: return touch(e, Touch::Mode::Use, Touch::Extent::Object);
    case EffectKind::Read: return touch(e, Touch::Mode::Read, Touch::Extent::Object);
    case EffectKind::Write: return touch(e, Touch::Mode::Write, Touch::Extent::Object);
    case EffectKind::ReadVariadic: return touch(e, Touch::Mode::Read, Touch::Extent::Variadic);
    case EffectKind::WriteVariadic: return touch(e, Touch::Mode::Write, Touch::Extent::Variadic);
    case EffectKind::ReadReachable: return touch(e, Touch::Mode::Read, Touch::Extent::Reachable);
    case EffectKind::WriteReachable: return touch(e, Touch::Mode::Write, Touch::Extent::Reachable);
    case EffectKind::HiddenRead: return touch(e, Touch::Mode::Read, Touch::Extent::Hidden);
    case EffectKind::HiddenWrite: return touch(e, Touch::Mode::Write, Touch::Extent::Hidden);
    case EffectKind::HiddenUse: return touch(e, Touch::Mode::Use, Touch::Extent::Hidden);
    case EffectKind::AtomicRead: return touch_atomic(e, TouchAtomic::Step::Read);
    case EffectKind::AtomicWrite: return touch_atomic(e, TouchAtomic::Step::Write);
    case EffectKind::AtomicUpdate: return touch_atomic(e, TouchAtomic::Step::Update);
    case EffectKind::Copy: return MovePointers{MovePointers::How::Content, e.object, e.value, e.length};
    case EffectKind::StoresInto: return MovePointers{MovePointers::How::Into, e.object, e.value, e.length};
    case EffectKind::Returns: return return_value(e, ReturnValue::What::Argument);
    case EffectKind::ReturnsInto: return return_value(e, ReturnValue::What::Into);
    case EffectKind::ReturnsReachable: return return_value(e, ReturnValue::What::Reachable);
    case EffectKind::ReturnsHidden: return return_value(e, ReturnValue::What::Hidden);
    case EffectKind::CurrentThread: return return_value(e, ReturnValue::What::ThisThread);
    case EffectKind::ReturnsOwn: return return_value(e, ReturnValue::What::Own);
    case EffectKind::Nondet: return return_value(e, ReturnValue::What::Anything);
    case EffectKind::Invoke: return CallBack{.entry = e.entry, .argument = e.argument, .value = e.value};
    case EffectKind::InvokeGlobal: return CallBack{.global = e.note};
    case EffectKind::ThreadExit: return End{End::Of::Thread, e.value};
    case EffectKind::NoReturn: return End{.of = end_of(e.note)};
    case EffectKind::MayTerminate: return End{.of = End::Of::Terminate, .may_return = true};
    case EffectKind::Throw: return End{End::Of::Frame, e.value};
    case EffectKind::Assume: return Assume{e.object};
    case EffectKind::Mask: return MaskEntries{e.context, true};
    case EffectKind::Unmask: return MaskEntries{e.context, false};
    case EffectKind::Unsupported: return DoUnsupported{e.note, e.entry, e.argument, e.except, e.value, e.bits};
  }
  // No kind gets here: the compiler checks that all are named.
  return DoUnsupported{"an effect without a meaning"};
}

std::vector<ObjectUse> object_uses(const Action& action) {
  using Uses = std::vector<ObjectUse>;
  const auto of_lock = [](const LockRef& lock) {
    return lock.kind == LockRef::Kind::Object ? Uses{{lock.object, false, true, lock.bytes}} : Uses{};
  };
  return treat(
      action, [&](const TakeLock& take) { return of_lock(take.lock); },
      [&](const GiveLock& give) { return of_lock(give.lock); },
      [](const SetUpObject& object) {
        // Attributes are no synchronisation objects; their models say what they touch.
        if (object.what == SetUpObject::What::LockKind || object.what == SetUpObject::What::ThreadKind) return Uses{};
        return Uses{{object.object, false, false, object.bytes}};
      },
      [](const UseCondition& use) {
        Uses uses{{use.object, false, true, use.bytes}};
        // The lock's own kind is not said here: its first byte stands for it.
        if (use.step == UseCondition::Step::Wait) uses.push_back({use.lock, use.indirect, true, {}});
        return uses;
      },
      [](const WaitAtBarrier& wait) {
        if (wait.step != WaitAtBarrier::Step::Wait) return Uses{};
        return Uses{{wait.object, false, true, wait.bytes}};
      },
      [](const UseSemaphore& use) { return Uses{{use.object, false, true, use.bytes}}; },
      [](const RunOnce& once) { return Uses{{once.object, false, true, once.bytes, true}}; },
      NoAnswer<Uses, StartThread, RunLater, LeaveThread, UseThreadValue, MakeMemory, Touch, TouchAtomic, MovePointers,
               ReturnValue, CallBack, End, Assume, MaskEntries, DoUnsupported>{});
}

}  // namespace heddle::api
