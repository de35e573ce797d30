// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/interpreted/machine_executor.h"

#include <algorithm>

#include "api/action.h"
#include "explore/inputs/input_classes.h"
#include "explore/interpreted/open_ends.h"
#include "explore/interpreted/touches.h"

namespace heddle::explore {

using interpret::EventKind;
using interpret::OpKind;
using interpret::OutcomeKind;
using interpret::StepResult;

namespace {

interpret::MachineOptions options_for_search(const Program& program, const api::ApiModels& models,
                                             const ExecutionLimits& limits, MemoryOrders orders) {
  interpret::MachineOptions options;
  if (limits.by_states)
    options.input_values = std::make_shared<const interpret::InputValues>(input_classes(program, models));
  options.switch_at_accesses = limits.at_accesses;
  options.max_threads = limits.threads;
  options.max_instructions = 50'000'000;
  options.max_heap_bytes = 64ULL << 20;
  options.spurious_wakeups = options.weak_tries = limits.weakest;
  options.stop_alone = true;
  options.stable_threads = true;
  options.record_passages = limits.tell_sides;
  options.record = recorded(limits.at_accesses ? MemoryOrders::SequentiallyConsistent : orders);
  return options;
}

bool takes_or_gives(OpKind op) {
  switch (op) {
    case OpKind::Lock:
    case OpKind::LockShared:
    case OpKind::TryLock:
    case OpKind::TryLockShared:
    case OpKind::Unlock:
    case OpKind::Wait:
    case OpKind::Wake:
    case OpKind::SemWait:
    case OpKind::SemTryWait:
    case OpKind::SemPost: return true;
    default: return false;
  }
}

/// Whether the program can ask for a lock or semaphore without waiting for it.
bool has_tries(const Program& program, const api::ApiModels& models) {
  const auto is_try = [](const api::Effect& effect) {
    return api::treat(
        api::action_of(effect), [](const api::TakeLock& take) { return !take.outcome.blocking; },
        [](const api::UseSemaphore& use) { return !use.outcome.blocking; },
        api::Always<false, api::GiveLock, api::SetUpObject, api::StartThread, api::RunLater, api::LeaveThread,
                    api::UseCondition, api::WaitAtBarrier, api::RunOnce, api::UseThreadValue, api::MakeMemory,
                    api::Touch, api::TouchAtomic, api::MovePointers, api::ReturnValue, api::CallBack, api::End,
                    api::Assume, api::MaskEntries, api::DoUnsupported>{});
  };
  return std::ranges::any_of(program.functions, [&](const Function& function) {
    const api::Model* model = function.has_body() ? nullptr : models.find(function.name);
    return model != nullptr && std::ranges::any_of(model->effects, is_try);
  });
}

}  // namespace

std::uint64_t MachineExecutor::OutcomeChooser::choose(const interpret::Choice& choice) {
  const std::uint64_t outcomes = choice.count == 0 && choice.bits == 1 ? 2 : choice.count;
  if (outcomes == 0 || count > 1) {
    (outcomes == 0 ? gave_value : several) = true;
    return outcomes == 0 ? value : 0;
  }
  count = static_cast<std::uint32_t>(outcomes);
  return wanted % outcomes;
}

MachineExecutor::MachineExecutor(const Program& program, const api::ApiModels& models, const ExecutionLimits& limits,
                                 const OrderRules& rules)
    : InterpretedExecutor(program, models, options_for_search(program, models, limits, rules.orders),
                          std::make_unique<OutcomeChooser>(), rules),
      limits_(limits),
      spin_rules_{.waits_end_alone = limits.weakest, .may_hold = limits.weakest || !has_tries(program, models)},
      start_(machine_.mark()) {
  chooser().value = limits.value;
  if (limits.tell_sides) tell_sides(models, rules.orders);
}

void MachineExecutor::tell_sides(const api::ApiModels& models, MemoryOrders orders) {
  const std::set<std::string> ends = open_ends(program_, models);
  std::string obstacle = ends.empty() ? std::string() : *ends.begin();
  if (orders != MemoryOrders::SequentiallyConsistent) obstacle = "atomic accesses weaker than sequential consistency";
  const auto address_of = [this](GlobalId global) { return machine_.address_of(global); };
  sides_ = std::make_unique<ToldSides>(program_, models, address_of, at_accesses_, std::move(obstacle));
}

void MachineExecutor::restart() {
  machine_.undo_to(start_);
  deeds_.clear();
  step_ends_.clear();
  halted_.clear();
  before_.clear();
  avoided_.clear();
  words_.keep_avoided(0);
  if (sides_) sides_->rewind(0);
  over_ = false;
}

void MachineExecutor::rewind(std::size_t length) {
  if (length >= before_.size()) return;
  for (std::size_t i = length; i < before_.size(); ++i)
    if (before_[i].halts) halted_[before_[i].thread] = 0;
  const Before& to = before_[length];
  machine_.undo_to(to.mark);
  over_ = to.over;
  if (avoided_.size() > to.avoided) {
    words_.keep_avoided(to.avoided);
    avoided_.resize(to.avoided);
  }
  if (sides_) sides_->rewind(length);
  before_.resize(length);
  step_ends_.resize(length);
  deeds_.resize(length == 0 ? 0 : step_ends_.back());
}

Standing MachineExecutor::standing(ThreadIndex thread) const {
  if (is_halted(thread)) return Standing::Halted;
  if (machine_.pending_kind(thread) == OpKind::None) return Standing::Finished;
  if (machine_.is_at_end(thread)) return Standing::AtEnd;
  return machine_.is_enabled(thread) ? Standing::Enabled : Standing::Waits;
}

std::vector<ThreadIndex> MachineExecutor::enabled() const {
  std::vector<ThreadIndex> result;
  for (ThreadIndex t = 0; t < machine_.thread_count(); ++t)
    if (MachineExecutor::standing(t) == Standing::Enabled) result.push_back(t);
  return result;
}

std::span<const Deed> MachineExecutor::deeds() const {
  return step_ends_.empty() ? std::span<const Deed>{} : MachineExecutor::deeds_of(step_ends_.size() - 1);
}

std::span<const Deed> MachineExecutor::deeds_of(std::size_t step) const {
  const std::size_t begin = step == 0 ? 0 : step_ends_[step - 1];
  return std::span(deeds_).subspan(begin, step_ends_[step] - begin);
}

/// A trial asks the chooser too: what it answers there does not count.
std::vector<NextAccess> MachineExecutor::next_accesses(ThreadIndex thread) {
  const OutcomeChooser kept = chooser();
  std::vector<NextAccess> accesses = InterpretedExecutor::next_accesses(thread);
  chooser() = kept;
  return accesses;
}

bool MachineExecutor::left_traces(ThreadIndex thread) const {
  return before_.empty() || machine_.left_traces(thread, before_.back().mark, before_.back().takes_or_gives);
}

bool MachineExecutor::asks_for_input(ThreadIndex thread) const {
  return machine_.pending_kind(thread) == OpKind::Input;
}

std::optional<WholeState> MachineExecutor::whole_state() const {
  const interpret::StateHash state = machine_.state_hash();
  Hasher hasher;
  hasher.add(state.hash.high).add(state.hash.low);
  for (std::size_t t = 0; t < halted_.size(); ++t)
    if (halted_[t] != 0) hasher.add(t);
  return WholeState{hasher.finish(), state.bytes};
}

Event MachineExecutor::step(ThreadIndex thread, std::uint32_t choice) {
  Event event = pending_event(machine_, thread, at_accesses_);
  const OpKind kind = machine_.pending_kind(thread);
  chooser().wanted = choice;
  chooser().count = 1;
  before_.push_back({machine_.mark(), thread, takes_or_gives(kind), over_, false, avoided_.size()});
  StepResult result = machine_.step(thread, limits_.step_instructions);
  if (!rehearses_) instructions_ += result.instructions;
  if (result.kind == StepResult::Kind::Finished) event.end = StepEnd::Finished;
  std::vector<interpret::Event> fatal;
  if (result.kind == StepResult::Kind::Ended) fatal = end_program(thread, event, result);
  if (event.operation == Operation::Wake && machine_.woke_by_itself(thread)) event.operation = Operation::WakeAlone;
  const bool happened = event.end != StepEnd::CutOff;
  if (happened) add_touches(event, machine_.events(), at_accesses_);
  event.choices = chooser().count;
  event.choice = chooser().count > 1 ? choice : 0;
  note_choices();
  if (happened) finish_step(result, event);
  add_deeds(fatal);
  if (result.kind == StepResult::Kind::NotEnabled) fail_section(thread, event);
  step_ends_.push_back(deeds_.size());
  if (sides_) sides_->add_step(thread, machine_.passages());
  return event;
}

/// The step's accesses count, only its last instruction must not take place yet. What that would have accessed.
std::vector<interpret::Event> MachineExecutor::end_program(ThreadIndex thread, Event& event, StepResult& result) {
  note_ending(machine_.outcome());
  note_avoided(machine_.outcome());
  const bool touches_memory = std::ranges::any_of(machine_.events(), is_access);
  const std::vector<interpret::Event> section = unfinished_section(machine_.events(), thread);
  std::vector<interpret::Event> fatal = section.empty() ? fatal_access() : std::vector<interpret::Event>{};
  const bool happened = stop_short(thread, before_.back().mark, result);
  if (!happened && !section.empty())
    add_unfinished(event, section);
  else if (!happened && fatal.empty() && touches_memory)
    add_gap("the program ends in the middle of an operation");
  event.end = happened ? StepEnd::Halted : StepEnd::CutOff;
  halt(thread);
  return fatal;
}

/// It makes no further step in this execution.
void MachineExecutor::halt(ThreadIndex thread) {
  if (halted_.size() <= thread) halted_.resize(thread + 1);
  halted_[thread] = 1;
  before_.back().halts = true;
}

void MachineExecutor::add_gap(std::string gap) {
  if (!rehearses_) gaps_.insert(std::move(gap));
}

void MachineExecutor::note_choices() {
  if (chooser().gave_value) add_gap(input_was_chosen);
  if (chooser().several) add_gap(several_choices);
  if (rehearses_) return;
  for (const interpret::Note& note : machine_.notes()) gaps_.insert(note.what);
  for (const char* doubt : machine_.doubts()) gaps_.insert(doubt);
}

bool MachineExecutor::stop_short(ThreadIndex thread, interpret::Machine::Mark before, StepResult& result) {
  machine_.undo_to(before);
  chooser().count = 1;
  if (result.instructions <= 1) return false;
  result = machine_.step(thread, result.instructions - 1);
  if (result.kind == StepResult::Kind::Stopped || result.kind == StepResult::Kind::Finished) return true;
  machine_.undo_to(before);
  return false;
}

void MachineExecutor::fail_section(ThreadIndex thread, Event& event) {
  const interpret::FailedSection& failed = machine_.failed_section();
  if (failed.is_blocked) add_gap("an atomic section waits for something else than its assumption");
  halt(thread);
  event.end = StepEnd::CutOff;
  add_unfinished(event, unfinished_section(failed.events, thread));
}

/// Its accesses were made; behind the false assumption, or the end of the program, there is nothing.
void MachineExecutor::add_unfinished(Event& event, std::span<const interpret::Event> section) {
  add_touches(event, section, at_accesses_);
  add_deeds(section);
}

void MachineExecutor::finish_step(const StepResult& result, Event& event) {
  std::size_t threads = machine_.thread_count() - event.spawned.size();
  add_deeds(machine_.events());
  for (const interpret::Event& done : machine_.events()) {
    if (done.kind == EventKind::Spawn) ++threads;
    // Then clocks, or the search, tell whether it meets a use.
    const bool is_access = limits_.by_states || (locks_are_memory_ && done.size != 0);
    if (done.kind == EventKind::SyncReset && !is_access && threads > 1) add_gap(lock_set_up_late);
  }
  event.used_up = result.instructions >= limits_.step_instructions;
  if (!event.used_up && before_.size() < limits_.events) return;
  add_gap(cut_at_limit);
  over_ = true;
}

void MachineExecutor::note_ending(const interpret::RunOutcome& outcome) {
  switch (outcome.kind) {
    case OutcomeKind::Running:
    case OutcomeKind::Exited:
    case OutcomeKind::Deadlock:
    case OutcomeKind::AssertionFailed:
    case OutcomeKind::Aborted:
    case OutcomeKind::Infeasible: return;
    case OutcomeKind::UndefinedBehaviour: return add_gap("undefined behaviour: " + outcome.what);
    case OutcomeKind::CapReached: return add_gap("a limit was met: " + outcome.what);
    case OutcomeKind::Unsupported: return add_gap("not supported: " + outcome.what);
  }
}

}  // namespace heddle::explore
