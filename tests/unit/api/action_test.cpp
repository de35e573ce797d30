// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/action.h"

#include <gtest/gtest.h>

#include <set>

#include "api/reader/effect_schema.h"

namespace heddle::api {
namespace HEDDLE_TEST_FILE {

/// An effect of the kind with another number in every field, so that a mix-up shows.
Effect full(EffectKind kind) {
  Effect effect;
  effect.kind = kind;
  effect.mode = LockMode::Shared;
  effect.success = Success::NonZero;
  effect.blocking = false;
  effect.recursive = effect.zeroed = effect.handle_returned = effect.indirect = effect.holds_key = true;
  effect.object = 1;
  effect.entry = 2;
  effect.argument = 3;
  effect.handle = 4;
  effect.value = 5;
  effect.lock = 6;
  effect.entry_slot = 7;
  effect.after_slot = 8;
  effect.failure = 9;
  effect.context = EntryContext::Timer;
  effect.length = {Length::Kind::Argument, 10, 0};
  effect.note = "note";
  return effect;
}

/// Checks one kind and notes that it was checked.
class Lowering : public testing::Test {
 protected:
  template <class Primitive>
  Primitive lowered(EffectKind kind) {
    effect_ = full(kind);
    const Action action = action_of(effect_);
    EXPECT_TRUE(std::holds_alternative<Primitive>(action)) << to_text(effect_);
    return std::holds_alternative<Primitive>(action) ? std::get<Primitive>(action) : Primitive{};
  }
  Effect effect_;
};

void expect_outcome(const CallOutcome& outcome) {
  EXPECT_EQ(outcome.success, Success::NonZero);
  EXPECT_FALSE(outcome.blocking);
  EXPECT_EQ(outcome.failure, 9);
}

TEST_F(Lowering, Locks) {
  const auto acquire = lowered<TakeLock>(EffectKind::Acquire);
  EXPECT_EQ(acquire.lock.kind, LockRef::Kind::Object);
  EXPECT_EQ(acquire.lock.object, 1);
  EXPECT_EQ(acquire.mode, LockMode::Shared);
  EXPECT_TRUE(acquire.recursive);
  expect_outcome(acquire.outcome);
  const auto named = lowered<TakeLock>(EffectKind::AcquireNamed);
  EXPECT_EQ(named.lock.kind, LockRef::Kind::Named);
  EXPECT_EQ(named.lock.name, "note");
  expect_outcome(named.outcome);
  const auto section = lowered<TakeLock>(EffectKind::AtomicBegin);
  EXPECT_EQ(section.lock.kind, LockRef::Kind::Section);
  EXPECT_EQ(section.mode, LockMode::Exclusive);
  EXPECT_TRUE(section.outcome.blocking);
  EXPECT_EQ(lowered<GiveLock>(EffectKind::Release).lock.object, 1);
  EXPECT_EQ(lowered<GiveLock>(EffectKind::ReleaseNamed).lock.name, "note");
  EXPECT_EQ(lowered<GiveLock>(EffectKind::AtomicEnd).lock.kind, LockRef::Kind::Section);
}

TEST_F(Lowering, ObjectsBeginAndEnd) {
  const auto begin = lowered<SetUpObject>(EffectKind::LockInit);
  EXPECT_EQ(begin.what, SetUpObject::What::Lock);
  EXPECT_EQ(begin.object, 1);
  EXPECT_EQ(begin.value, 5);
  EXPECT_EQ(begin.recursive_if, 3);
  EXPECT_TRUE(begin.recursive);
  const auto end = lowered<SetUpObject>(EffectKind::LockDestroy);
  EXPECT_EQ(end.what, SetUpObject::What::LockEnd);
  EXPECT_EQ(end.failure, 9);
  EXPECT_EQ(lowered<SetUpObject>(EffectKind::SetRecursive).what, SetUpObject::What::LockKind);
  EXPECT_EQ(lowered<SetUpObject>(EffectKind::BarrierInit).what, SetUpObject::What::Barrier);
  EXPECT_EQ(lowered<SetUpObject>(EffectKind::SemInit).what, SetUpObject::What::Semaphore);
  EXPECT_EQ(lowered<SetUpObject>(EffectKind::SemInit).value, 5);
}

TEST_F(Lowering, Threads) {
  const auto start = lowered<StartThread>(EffectKind::Spawn);
  EXPECT_EQ(start.entry, 2);
  EXPECT_EQ(start.argument, 3);
  EXPECT_EQ(start.handle, 4);
  EXPECT_TRUE(start.handle_returned);
  EXPECT_TRUE(start.indirect);
  EXPECT_EQ(start.entry_slot, 7);
  EXPECT_EQ(start.after_slot, 8);
  const auto join = lowered<LeaveThread>(EffectKind::Join);
  EXPECT_EQ(join.how, LeaveThread::How::Join);
  EXPECT_EQ(join.handle, 1);
  EXPECT_EQ(join.result, 5);
  EXPECT_TRUE(join.indirect);
  expect_outcome(join.outcome);
  EXPECT_EQ(lowered<LeaveThread>(EffectKind::Detach).how, LeaveThread::How::Detach);
  EXPECT_EQ(lowered<End>(EffectKind::ThreadExit).of, End::Of::Thread);
  EXPECT_EQ(lowered<End>(EffectKind::ThreadExit).value, 5);
  EXPECT_EQ(lowered<ReturnValue>(EffectKind::CurrentThread).what, ReturnValue::What::ThisThread);
}

TEST_F(Lowering, FunctionsThatRunLater) {
  const auto root = lowered<RunLater>(EffectKind::Root);
  EXPECT_EQ(root.when, RunLater::When::Outside);
  EXPECT_EQ(root.entry, 2);
  EXPECT_EQ(root.argument, 3);
  EXPECT_EQ(root.context, EntryContext::Timer);
  EXPECT_EQ(lowered<RunLater>(EffectKind::AtExit).when, RunLater::When::ProgramEnd);
  effect_ = full(EffectKind::AtExit);
  effect_.per_thread = true;
  EXPECT_EQ(get<RunLater>(effect_)->when, RunLater::When::ThreadEnd);
}

TEST_F(Lowering, Waiting) {
  const auto wait = lowered<UseCondition>(EffectKind::Wait);
  EXPECT_EQ(wait.step, UseCondition::Step::Wait);
  EXPECT_EQ(wait.object, 1);
  EXPECT_EQ(wait.lock, 6);
  EXPECT_TRUE(wait.indirect);
  expect_outcome(wait.outcome);
  EXPECT_EQ(lowered<UseCondition>(EffectKind::Signal).step, UseCondition::Step::Signal);
  EXPECT_EQ(lowered<UseCondition>(EffectKind::Broadcast).step, UseCondition::Step::Broadcast);
  EXPECT_EQ(lowered<WaitAtBarrier>(EffectKind::BarrierWait).object, 1);
  const auto semaphore = lowered<UseSemaphore>(EffectKind::SemWait);
  EXPECT_EQ(semaphore.step, UseSemaphore::Step::Wait);
  EXPECT_EQ(semaphore.object, 1);
  expect_outcome(semaphore.outcome);
  EXPECT_EQ(lowered<UseSemaphore>(EffectKind::SemPost).step, UseSemaphore::Step::Post);
}

TEST_F(Lowering, Once) {
  const auto once = lowered<RunOnce>(EffectKind::Once);
  EXPECT_EQ(once.step, RunOnce::Step::Call);
  EXPECT_EQ(once.object, 1);
  EXPECT_EQ(once.entry, 2);
  EXPECT_EQ(once.argument, 3);
  EXPECT_EQ(lowered<RunOnce>(EffectKind::OnceBegin).step, RunOnce::Step::Begin);
  EXPECT_EQ(lowered<RunOnce>(EffectKind::OnceBegin).success, Success::NonZero);
  EXPECT_EQ(lowered<RunOnce>(EffectKind::OnceEnd).step, RunOnce::Step::End);
  EXPECT_EQ(lowered<RunOnce>(EffectKind::OnceAbort).step, RunOnce::Step::Abort);
}

TEST_F(Lowering, ThreadValues) {
  const auto create = lowered<UseThreadValue>(EffectKind::TlsCreate);
  EXPECT_EQ(create.step, UseThreadValue::Step::Create);
  EXPECT_EQ(create.key, 1);
  EXPECT_EQ(create.destructor, 2);
  EXPECT_EQ(lowered<UseThreadValue>(EffectKind::TlsGet).step, UseThreadValue::Step::Get);
  const auto set = lowered<UseThreadValue>(EffectKind::TlsSet);
  EXPECT_EQ(set.step, UseThreadValue::Step::Set);
  EXPECT_EQ(set.value, 5);
}

TEST_F(Lowering, Memory) {
  const auto allocate = lowered<MakeMemory>(EffectKind::Allocate);
  EXPECT_EQ(allocate.into, 1);
  EXPECT_EQ(allocate.old, Effect::none);
  EXPECT_TRUE(allocate.zeroed);
  EXPECT_EQ(allocate.length.value, 10);
  const auto again = lowered<MakeMemory>(EffectKind::Reallocate);
  EXPECT_EQ(again.into, Effect::none);
  EXPECT_EQ(again.old, 1);
  struct Row {
    EffectKind kind;
    Touch::Mode mode;
    Touch::Extent extent;
  };
  using enum EffectKind;
  for (const Row& row :
       {Row{Free, Touch::Mode::Free, Touch::Extent::Object}, Row{Read, Touch::Mode::Read, Touch::Extent::Object},
        Row{Write, Touch::Mode::Write, Touch::Extent::Object},
        Row{ReadVariadic, Touch::Mode::Read, Touch::Extent::Variadic},
        Row{WriteVariadic, Touch::Mode::Write, Touch::Extent::Variadic},
        Row{ReadReachable, Touch::Mode::Read, Touch::Extent::Reachable},
        Row{WriteReachable, Touch::Mode::Write, Touch::Extent::Reachable},
        Row{HiddenRead, Touch::Mode::Read, Touch::Extent::Hidden},
        Row{HiddenWrite, Touch::Mode::Write, Touch::Extent::Hidden},
        Row{HiddenUse, Touch::Mode::Use, Touch::Extent::Hidden}}) {
    const auto touch = lowered<Touch>(row.kind);
    EXPECT_EQ(touch.mode, row.mode);
    EXPECT_EQ(touch.extent, row.extent);
    EXPECT_EQ(touch.object, 1);
    EXPECT_EQ(touch.length.value, 10);
    const bool is_variadic = row.extent == Touch::Extent::Variadic;
    EXPECT_EQ(touch.format, is_variadic ? 5 : Effect::none);
    EXPECT_EQ(touch.fill, is_variadic ? Effect::none : 5);
    EXPECT_EQ(touch.is_list, is_variadic);
    EXPECT_EQ(touch.name, "note");
  }
}

TEST_F(Lowering, AtomicAccesses) {
  EXPECT_EQ(lowered<TouchAtomic>(EffectKind::AtomicRead).step, TouchAtomic::Step::Read);
  EXPECT_EQ(lowered<TouchAtomic>(EffectKind::AtomicWrite).step, TouchAtomic::Step::Write);
  const auto update = lowered<TouchAtomic>(EffectKind::AtomicUpdate);
  EXPECT_EQ(update.step, TouchAtomic::Step::Update);
  EXPECT_EQ(update.object, 1);
  EXPECT_EQ(update.value, 5);
  EXPECT_TRUE(update.indirect);
  EXPECT_EQ(update.expected, 3);
  EXPECT_EQ(update.operation, "note");
  EXPECT_EQ(update.length.value, 10);
}

TEST_F(Lowering, PointersMove) {
  const auto copy = lowered<MovePointers>(EffectKind::Copy);
  EXPECT_EQ(copy.how, MovePointers::How::Content);
  EXPECT_EQ(copy.to, 1);
  EXPECT_EQ(copy.from, 5);
  EXPECT_EQ(copy.length.value, 10);
  EXPECT_EQ(lowered<MovePointers>(EffectKind::StoresInto).how, MovePointers::How::Into);
  EXPECT_EQ(lowered<ReturnValue>(EffectKind::Returns).what, ReturnValue::What::Argument);
  EXPECT_EQ(lowered<ReturnValue>(EffectKind::ReturnsInto).what, ReturnValue::What::Into);
  EXPECT_EQ(lowered<ReturnValue>(EffectKind::ReturnsReachable).what, ReturnValue::What::Reachable);
  EXPECT_EQ(lowered<ReturnValue>(EffectKind::ReturnsReachable).object, 1);
  EXPECT_EQ(lowered<ReturnValue>(EffectKind::Nondet).what, ReturnValue::What::Anything);
  const auto hidden = lowered<ReturnValue>(EffectKind::ReturnsHidden);
  EXPECT_EQ(hidden.what, ReturnValue::What::Hidden);
  EXPECT_EQ(hidden.name, "note");
  EXPECT_TRUE(hidden.holds_key);
  EXPECT_FALSE(hidden.per_thread);
}

TEST_F(Lowering, CallsBackAndEnds) {
  const auto invoke = lowered<CallBack>(EffectKind::Invoke);
  EXPECT_EQ(invoke.entry, 2);
  EXPECT_EQ(invoke.argument, 3);
  EXPECT_EQ(invoke.value, 5);
  EXPECT_TRUE(invoke.global.empty());
  EXPECT_EQ(lowered<CallBack>(EffectKind::InvokeGlobal).global, "note");
  EXPECT_EQ(lowered<End>(EffectKind::NoReturn).of, End::Of::Program);
  effect_.note = "exit";
  EXPECT_EQ(get<End>(effect_)->of, End::Of::Exit);
  EXPECT_EQ(lowered<End>(EffectKind::Throw).of, End::Of::Frame);
  EXPECT_EQ(lowered<End>(EffectKind::Throw).value, 5);
}

TEST_F(Lowering, TheRest) {
  EXPECT_EQ(lowered<Assume>(EffectKind::Assume).object, 1);
  EXPECT_TRUE(lowered<MaskEntries>(EffectKind::Mask).begins);
  EXPECT_FALSE(lowered<MaskEntries>(EffectKind::Unmask).begins);
  EXPECT_EQ(lowered<MaskEntries>(EffectKind::Mask).context, EntryContext::Timer);
  EXPECT_EQ(lowered<DoUnsupported>(EffectKind::Unsupported).what, "note");
  EXPECT_EQ(lowered<DoUnsupported>(EffectKind::Unsupported).entry, 2);
}

TEST(Actions, EveryKindOfEffectIsOneAndEveryPrimitiveIsNeeded) {
  std::set<std::size_t> used;
  for (const KindRow& row : kind_rows()) {
    const Effect effect = full(row.kind);
    const Action action = action_of(effect);
    used.insert(action.index());
    const auto* unsupported = std::get_if<DoUnsupported>(&action);
    EXPECT_EQ(unsupported != nullptr, row.kind == EffectKind::Unsupported) << row.key;
  }
  EXPECT_EQ(used.size(), std::variant_size_v<Action>);
}

TEST(Actions, TreatCallsTheCaseOfThePrimitive) {
  Effect effect;
  effect.kind = EffectKind::Release;
  const auto name = [](const Effect& e) {
    return treat(
        action_of(e), [](const GiveLock&) { return 1; }, [](const TakeLock&) { return 2; },
        Always<3, SetUpObject, StartThread, RunLater, LeaveThread, UseCondition, WaitAtBarrier, UseSemaphore, RunOnce,
               UseThreadValue, MakeMemory, Touch, TouchAtomic, MovePointers, ReturnValue, CallBack, End, Assume,
               MaskEntries>{},
        NoAnswer<int, DoUnsupported>{});
  };
  EXPECT_EQ(name(effect), 1);
  effect.kind = EffectKind::AtomicBegin;
  EXPECT_EQ(name(effect), 2);
  effect.kind = EffectKind::Read;
  EXPECT_EQ(name(effect), 3);
  effect.kind = EffectKind::Unsupported;
  EXPECT_EQ(name(effect), 0);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::api
