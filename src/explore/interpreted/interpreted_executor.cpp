// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/interpreted/interpreted_executor.h"

#include <algorithm>

#include "base/check.h"
#include "explore/interpreted/touches.h"
#include "explore/sides/access_key.h"

namespace heddle::explore {

using interpret::EventKind;
using interpret::OpKind;

namespace {

constexpr DeedKind kind_of(EventKind kind) {
  switch (kind) {
    case EventKind::Read: return DeedKind::Read;
    case EventKind::Write: return DeedKind::Write;
    case EventKind::AtomicRead: return DeedKind::AtomicRead;
    case EventKind::AtomicWrite: return DeedKind::AtomicWrite;
    case EventKind::Free: return DeedKind::Free;
    case EventKind::Acquire: return DeedKind::Acquire;
    case EventKind::Release: return DeedKind::Release;
    case EventKind::AcquireShared: return DeedKind::AcquireShared;
    case EventKind::ReleaseShared: return DeedKind::ReleaseShared;
    case EventKind::Spawn: return DeedKind::Spawn;
    case EventKind::Join: return DeedKind::Join;
    case EventKind::SectionBegin: return DeedKind::SectionBegin;
    case EventKind::SectionEnd: return DeedKind::SectionEnd;
    case EventKind::ThreadEnd: return DeedKind::ThreadEnd;
    case EventKind::SectionFailed: return DeedKind::SectionFailed;
    case EventKind::SyncReset: return DeedKind::SyncReset;
    case EventKind::Fence: return DeedKind::Fence;
    case EventKind::Uses: return DeedKind::Uses;
    case EventKind::Asks: return DeedKind::Asks;
  }
  return DeedKind::SyncReset;
}

bool acquires(AtomicOrder order) {
  return order == AtomicOrder::Acquire || order == AtomicOrder::AcqRel || order == AtomicOrder::SeqCst;
}

bool releases(AtomicOrder order) {
  return order == AtomicOrder::Release || order == AtomicOrder::AcqRel || order == AtomicOrder::SeqCst;
}

const Instruction* instruction_of(const Program& program, const interpret::Event& event) {
  if (!event.function.valid() || event.function.index() >= program.functions.size()) return nullptr;
  const Function& function = program.functions[event.function];
  return event.instruction < function.instructions.size() ? &function.instructions[event.instruction] : nullptr;
}

/// An atomic library call is sequentially consistent and replaces what was there: a Deed's defaults. `fails`: the
/// exchange found another value, so its second order counts.
void add_order(Deed& deed, const Program& program, const interpret::Event& event, bool fails) {
  const Instruction* at = instruction_of(program, event);
  if (at == nullptr || !at->is_atomic()) return;
  const bool is_exchange = at->opcode == Opcode::CmpXchg;
  const AtomicOrder order = is_exchange && fails ? static_cast<AtomicOrder>(at->detail) : at->order;
  deed.acquires = acquires(order);
  deed.releases = releases(order);
  deed.replaces = at->opcode == Opcode::Store;
  deed.consumes = at->may_consume() && !deed.acquires;
}

/// The update that a read belongs to wrote nothing.
bool fails(std::span<const interpret::Event> events, std::size_t read) {
  if (read + 1 == events.size()) return true;
  const interpret::Event& next = events[read + 1];
  return next.kind != EventKind::AtomicWrite || next.address != events[read].address ||
         next.function != events[read].function || next.instruction != events[read].instruction;
}

}  // namespace

InterpretedExecutor::InterpretedExecutor(const Program& program, const api::ApiModels& models,
                                         const interpret::MachineOptions& options,
                                         std::unique_ptr<interpret::Chooser> chooser, const OrderRules& rules)
    : program_(program),
      consumed_(rules.consumed),
      locks_are_memory_(rules.locks_are_memory),
      at_accesses_(options.switch_at_accesses),
      chooser_(std::move(chooser)),
      machine_(program, models, options, *chooser_),
      words_(program, machine_) {}

void InterpretedExecutor::restart() { HEDDLE_CHECK(steps_ == 0, "an executor for one run does not go back"); }

void InterpretedExecutor::rewind(std::size_t length) {
  HEDDLE_CHECK(length == steps_, "an executor for one run does not go back");
}

void InterpretedExecutor::rehearse(bool on) { HEDDLE_CHECK(!on, "an executor for one run does not go back"); }

std::span<const Deed> InterpretedExecutor::deeds_of(std::size_t step) const {
  HEDDLE_CHECK(step + 1 == steps_, "an executor for one run keeps the latest step only");
  return deeds_;
}

Deed InterpretedExecutor::deed_of(std::span<const interpret::Event> events, std::size_t number) const {
  const interpret::Event& event = events[number];
  Deed deed;
  deed.kind = kind_of(event.kind);
  deed.is_lock = event.is_lock;
  deed.is_use = locks_are_memory_ && interpret::has_object(event.kind) && event.size != 0;
  deed.thread = event.thread;
  deed.size = event.size;
  deed.address = event.address;
  deed.key = key_of(event.function, event.instruction);
  if (is_atomic(deed.kind) || deed.kind == DeedKind::Fence)
    add_order(deed, program_, event, deed.kind == DeedKind::AtomicRead && fails(events, number));
  if (consumed_ != nullptr && consumed_->is_used())
    deed.depends = consumed_->may_reach(event.function, event.instruction);
  if (deed.kind == DeedKind::Uses && deed.address == 0) deed.address = library_object;
  return deed;
}

void InterpretedExecutor::add_deeds(std::span<const interpret::Event> events) {
  for (std::size_t i = 0; i < events.size(); ++i) deeds_.push_back(deed_of(events, i));
}

std::vector<interpret::Event> InterpretedExecutor::fatal_access() const {
  const std::span<const interpret::Event> events = machine_.events();
  if (machine_.outcome().kind != interpret::OutcomeKind::UndefinedBehaviour || events.empty()) return {};
  const interpret::Event& last = events.back();
  const bool touches = is_access(last) || interpret::has_object(last.kind);
  return touches && !machine_.place(last.address).known ? std::vector{last} : std::vector<interpret::Event>{};
}

void InterpretedExecutor::note_avoided(const interpret::RunOutcome& outcome) {
  avoided_.push_back(explore::kind_of(outcome.kind));
  words_.add_avoided(outcome);
}

bool InterpretedExecutor::has_misused_lock() const {
  return std::ranges::any_of(
      machine_.notes(), [](const interpret::Note& note) { return note.kind == interpret::Note::Kind::LockMisuse; });
}

Standing InterpretedExecutor::standing(ThreadIndex thread) const {
  if (machine_.pending_kind(thread) == OpKind::None) return Standing::Finished;
  return machine_.is_enabled(thread) ? Standing::Enabled : Standing::Waits;
}

std::vector<ThreadIndex> InterpretedExecutor::enabled() const {
  std::vector<ThreadIndex> result;
  for (ThreadIndex t = 0; t < machine_.thread_count(); ++t)
    if (standing(t) == Standing::Enabled) result.push_back(t);
  return result;
}

std::vector<Event> InterpretedExecutor::blocked() const {
  std::vector<Event> result;
  for (ThreadIndex t = 0; t < machine_.thread_count(); ++t)
    if (standing(t) == Standing::Waits) result.push_back(pending_event(machine_, t, at_accesses_));
  return result;
}

Creation InterpretedExecutor::creation_of(ThreadIndex thread) const {
  if (thread == 0) return {};
  return {machine_.creator_of(thread), machine_.ordinal_of(thread), machine_.argument_of(thread)};
}

NextOperation InterpretedExecutor::next(ThreadIndex thread) const {
  if (thread >= machine_.thread_count()) return {};
  const interpret::PendingOp pending = machine_.pending(thread);
  return {key_of(pending.function, pending.instruction), pending.kind == OpKind::Section};
}

std::vector<NextAccess> InterpretedExecutor::next_accesses(ThreadIndex thread) {
  std::vector<NextAccess> accesses;
  for (const interpret::TouchedBytes& touch : next_touches(machine_, thread))
    if (touch.size != 0 && (!touch.is_lock || locks_are_memory_))
      accesses.push_back({{touch.address, touch.size}, touch.is_write, touch.is_atomic || touch.is_lock});
  return accesses;
}

std::optional<std::uint64_t> InterpretedExecutor::awaited_object(ThreadIndex thread) const {
  switch (machine_.pending_kind(thread)) {
    case OpKind::Lock:
    case OpKind::LockShared:
    case OpKind::BarrierLeave:
    case OpKind::SemWait:
    case OpKind::Once: return machine_.pending_object(thread);
    default: return std::nullopt;
  }
}

std::uint64_t InputsChooser::choose(const interpret::Choice& choice) {
  return inputs_.choose({choice.thread, choice.bits, choice.count, choice.kind == interpret::ChoiceKind::Value});
}

std::vector<interpret::Event> unfinished_section(std::span<const interpret::Event> step, ThreadIndex thread) {
  const auto begin = std::ranges::find(step, EventKind::SectionBegin, &interpret::Event::kind);
  if (begin == step.end() || std::ranges::find(step, EventKind::SectionEnd, &interpret::Event::kind) != step.end())
    return {};
  std::vector<interpret::Event> section(begin, step.end());
  section.emplace_back().kind = EventKind::SectionFailed;
  section.back().thread = thread;
  return section;
}

}  // namespace heddle::explore
