// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/evidence/confirm.h"

#include <algorithm>

namespace heddle::explore {

using interpret::ThreadIndex;

namespace {

constexpr std::size_t reorder_limit = 3000;  // steps; choosing the next one looks at all threads' next ones

/// The steps A and B need, in the order of the run; their own two included, B's last.
std::vector<std::uint32_t> needed_steps(Run& run, const DetectedRace& race) {
  const std::vector<StepLog>& log = run.log();
  Clock clock = log[race.first.step].clock;
  join(clock, run.clock(race.second.event.thread));
  std::vector<std::uint32_t> steps;
  for (std::uint32_t s = 0; s < log.size(); ++s) {
    const ThreadIndex thread = log[s].thread;
    bool needed = thread < clock.size() && log[s].epoch <= clock[thread];
    if (thread == race.first.event.thread) needed = s <= race.first.step;
    if (thread == race.second.event.thread) needed = s <= race.second.step;
    if (needed) steps.push_back(s);
  }
  return steps;
}

/// All steps but those of the two threads behind their accesses: what a failed try saw, say, is no order for the
/// clocks.
std::vector<std::uint32_t> all_steps(const Run& run, const DetectedRace& race) {
  std::vector<std::uint32_t> steps;
  for (std::uint32_t s = 0; s < run.log().size(); ++s) {
    const ThreadIndex thread = run.log()[s].thread;
    if (thread == race.first.event.thread && s > race.first.step) continue;
    if (thread == race.second.event.thread && s > race.second.step) continue;
    steps.push_back(s);
  }
  return steps;
}

bool needs(const StepLog& later, const StepLog& earlier) {
  return later.thread == earlier.thread ||
         (earlier.thread < later.clock.size() && earlier.epoch <= later.clock[earlier.thread]);
}

/// The same steps, each thread as long as it can.
std::vector<std::uint32_t> with_few_switches(const std::vector<StepLog>& log, const std::vector<std::uint32_t>& steps) {
  std::vector<std::uint32_t> rest(steps.begin(), steps.end() - 1);
  std::vector<std::uint32_t> order;
  ThreadIndex running = interpret::no_thread;
  while (!rest.empty()) {
    const auto ready = [&](std::vector<std::uint32_t>::iterator step) {
      return std::none_of(rest.begin(), step, [&](std::uint32_t earlier) { return needs(log[*step], log[earlier]); });
    };
    auto chosen = rest.end();
    for (auto step = rest.begin(); step != rest.end(); ++step)
      if (log[*step].thread == running) {
        if (ready(step)) chosen = step;
        break;
      }
    if (chosen == rest.end()) chosen = rest.begin();
    running = log[*chosen].thread;
    order.push_back(*chosen);
    rest.erase(chosen);
  }
  order.push_back(steps.back());
  return order;
}

class Director {
 public:
  Director(const Program& program, const api::ApiModels& models, Run& run)
      : run_(run), names_(run.names(table_)), machine_(program, models, chooser_, run.limits().threads) {
    schedule_.max_threads = run.limits().threads;
    // The machine of the replay may number threads otherwise; answers move with their threads as those appear.
    for (const LoggedChooser::Answer& answer : run.answers()) waiting_.push_back({names_[answer.thread], answer.value});
    meet(0, 0);
  }

  bool drive(const std::vector<std::uint32_t>& order) {
    const DetectedRace& race = *run_.race();
    for (const std::uint32_t s : order) {
      const StepLog& step = run_.log()[s];
      const bool is_first = s == race.first.step && step.thread == race.first.event.thread;
      const bool is_second = s == race.second.step && step.thread == race.second.event.thread;
      const std::optional<ThreadIndex> thread = find(step.thread);
      if (!thread) return false;
      const bool reached = is_first    ? reach(*thread, race.first, step.instructions)
                           : is_second ? reach(*thread, race.second, step.instructions)
                                       : advance(*thread, step.instructions);
      if (!reached) return false;
    }
    const auto a = find(race.first.event.thread);
    const auto b = find(race.second.event.thread);
    if (!a || !b || machine_.racing_bytes(*a, *b).size == 0) return false;
    schedule_.first_thread = *a;
    schedule_.second_thread = *b;
    keep_values();
    return true;
  }

  /// All these steps, then `failing` (of the run) alone until something fails; no_thread: nobody can go on then.
  bool drive_to_end(const std::vector<std::uint32_t>& order, ThreadIndex failing) {
    for (const std::uint32_t s : order) {
      if (has_failed()) break;
      const StepLog& step = run_.log()[s];
      const std::optional<ThreadIndex> thread = find(step.thread);
      if (!thread || !advance(*thread, step.instructions)) return false;
    }
    schedule_.ending = Schedule::Ending::Deadlock;
    if (failing != interpret::no_thread) {
      constexpr int patience = 10'000;
      const std::optional<ThreadIndex> thread = find(failing);
      for (int i = 0; thread && i < patience && !has_failed(); ++i)
        if (!one_step(*thread)) return false;
      if (!thread) return false;
      schedule_.ending = Schedule::Ending::Failure;
      schedule_.first_thread = *thread;
    }
    keep_values();
    return has_failed();
  }

  [[nodiscard]] Schedule& schedule() { return schedule_; }

 private:
  [[nodiscard]] bool has_failed() {
    return machine_.machine().outcome().kind != interpret::OutcomeKind::Running ||
           std::ranges::any_of(machine_.machine().notes(), [](const interpret::Note& note) {
             return note.kind == interpret::Note::Kind::LockMisuse;
           });
  }

  void keep_values() {
    for (const LoggedChooser::Answer& answer : chooser_.given())
      schedule_.values.push_back({answer.thread, answer.value});
  }

  [[nodiscard]] std::optional<ThreadIndex> find(ThreadIndex of_run) const {
    const auto found = by_name_.find(names_[of_run]);
    return found == by_name_.end() ? std::nullopt : std::optional(found->second);
  }

  void meet(std::uint32_t name, ThreadIndex thread) {
    by_name_[name] = thread;
    for (const Waiting& answer : waiting_)
      if (answer.name == name) chooser_.add(thread, answer.value);
  }

  bool one_step(ThreadIndex thread) {
    const std::size_t threads = machine_.machine().thread_count();
    const std::size_t given = chooser_.given().size();
    if (!machine_.step(thread)) {
      chooser_.rewind(given);
      return false;
    }
    schedule_.run(thread);
    if (machine_.machine().thread_count() > threads) meet_children(thread);
    return true;
  }

  void meet_children(ThreadIndex creator) {
    std::uint32_t creator_name = 0;
    for (const auto& [name, thread] : by_name_)
      if (thread == creator) creator_name = name;
    std::uint32_t& known = children_[creator];
    for (ThreadIndex child = machine_.child(creator, known); child != interpret::no_thread;
         child = machine_.child(creator, ++known))
      meet(table_.name(creator_name, known), child);
  }

  bool advance(ThreadIndex thread, std::uint64_t instructions) {
    // An operation need not count as an instruction: beginning to wait does not.
    if (!one_step(thread)) return false;
    while (machine_.machine().instructions_of(thread) < instructions)
      if (!one_step(thread)) return false;
    return true;
  }

  bool reach(ThreadIndex thread, const DetectedAccess& access, std::uint64_t limit) {
    while (!stands_before(thread, access)) {
      if (machine_.machine().instructions_of(thread) >= limit) return false;
      if (!one_step(thread)) return false;
    }
    return true;
  }

  bool stands_before(ThreadIndex thread, const DetectedAccess& access) {
    const interpret::OpKind kind = machine_.machine().pending_kind(thread);
    if (access.in_section != (kind == interpret::OpKind::Section)) return false;
    const bool writes =
        access.event.kind != interpret::EventKind::Read && access.event.kind != interpret::EventKind::AtomicRead;
    if (!access.in_section) {
      const interpret::PendingOp pending = machine_.machine().pending(thread);
      if (pending.function != access.event.function || pending.instruction != access.event.instruction) return false;
    }
    return std::ranges::any_of(machine_.next_touches(thread), [&](const interpret::Touch& touch) {
      return !touch.is_lock && touch.is_write == writes && touch.address < access.event.address + access.event.size &&
             access.event.address < touch.address + touch.size;
    });
  }

  struct Waiting {
    std::uint32_t name = 0;
    std::uint64_t value = 0;
  };

  Run& run_;
  ThreadNames table_;
  std::vector<std::uint32_t> names_;
  RecordedChooser chooser_;
  AccessMachine machine_;
  std::vector<Waiting> waiting_;
  std::map<std::uint32_t, ThreadIndex> by_name_;
  std::map<ThreadIndex, std::uint32_t> children_;
  Schedule schedule_;
};

/// The run's number of a thread of the other machine.
ThreadIndex same_thread(const Run& run, const interpret::Machine& other, ThreadIndex thread) {
  if (thread == 0) return 0;
  const ThreadIndex creator = same_thread(run, other, other.creator_of(thread));
  return creator == interpret::no_thread ? creator : run.child(creator, other.ordinal_of(thread));
}

std::optional<ConfirmedRace> try_order(const Program& program, const api::ApiModels& models, Run& run,
                                       const std::vector<std::uint32_t>& order) {
  Director director(program, models, run);
  if (!director.drive(order)) return std::nullopt;
  ConfirmedRace confirmed;
  confirmed.schedule = std::move(director.schedule());
  confirmed.schedule.program = program_hash(program).hex();
  Result<ReplayedRace> again = replay(program, models, confirmed.schedule);
  if (!again) return std::nullopt;
  confirmed.race = std::move(*again);
  return confirmed;
}

}  // namespace

std::optional<Schedule> schedule_to(const Program& program, const api::ApiModels& models, Run& run,
                                    ThreadIndex thread) {
  std::vector<std::uint32_t> steps;
  const Clock needed = thread == interpret::no_thread ? Clock{} : run.clock(thread);
  for (std::uint32_t s = 0; s < run.log().size(); ++s) {
    const StepLog& step = run.log()[s];
    if (thread == interpret::no_thread || step.thread == thread ||
        (step.thread < needed.size() && step.epoch <= needed[step.thread]))
      steps.push_back(s);
  }
  Director director(program, models, run);
  if (!director.drive_to_end(steps, thread)) return std::nullopt;
  Schedule schedule = std::move(director.schedule());
  schedule.program = program_hash(program).hex();
  return schedule;
}

std::optional<ConfirmedRace> confirm_path(const Program& program, const api::ApiModels& models,
                                          const MachineExecutor& executor) {
  const std::vector<std::uint64_t> candidates{executor.limits().value};
  LoggedChooser chooser(candidates, ValuePolicy::Fixed, 1);
  RunLimits run_limits;
  run_limits.instructions = 100'000'000;
  run_limits.step_instructions = executor.limits().step_instructions;
  Run run(program, models, run_limits, chooser, true);
  // The run knows no spurious wake-ups and does not stop a thread that is alone: what it cannot do is left out.
  for (const ThreadIndex thread : executor.path()) {
    if (run.over()) break;
    const ThreadIndex same = same_thread(run, executor.machine(), thread);
    if (std::ranges::binary_search(run.enabled(), same)) run.step(same);
  }
  if (!run.race()) return std::nullopt;
  return confirm(program, models, run);
}

std::optional<ConfirmedRace> confirm(const Program& program, const api::ApiModels& models, Run& run) {
  const std::vector<std::uint32_t> steps = needed_steps(run, *run.race());
  if (steps.size() <= reorder_limit)
    if (auto confirmed = try_order(program, models, run, with_few_switches(run.log(), steps))) return confirmed;
  if (auto confirmed = try_order(program, models, run, steps)) return confirmed;
  const std::vector<std::uint32_t> all = all_steps(run, *run.race());
  if (all.size() == steps.size() || all.size() > reorder_limit) return std::nullopt;
  return try_order(program, models, run, all);
}

}  // namespace heddle::explore
