// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/evidence/confirm.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "explore/clocks/lock_bytes.h"
#include "explore/executor/adjacent.h"

namespace heddle::explore {
namespace {

constexpr std::size_t reorder_limit = 3000;  // steps; choosing the next one looks at all threads' next ones

/// The steps A and B need, in the order of the run; their own two included, B's last.
std::vector<std::uint32_t> needed_steps(Run& run, const DetectedRace& race) {
  const std::vector<StepLog>& log = run.log();
  Clock clock = log[race.first.step].clock;
  join(clock, run.clock(race.second.deed.thread));
  std::vector<std::uint32_t> steps;
  for (std::uint32_t s = 0; s < log.size(); ++s) {
    const ThreadIndex thread = log[s].thread;
    bool needed = thread < clock.size() && log[s].epoch <= clock[thread];
    if (thread == race.first.deed.thread) needed = s <= race.first.step;
    if (thread == race.second.deed.thread) needed = s <= race.second.step;
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
    if (thread == race.first.deed.thread && s > race.first.step) continue;
    if (thread == race.second.deed.thread && s > race.second.step) continue;
    steps.push_back(s);
  }
  return steps;
}

/// What a pair without order needs, in the order of the run: all that its second access has to wait for if atomics are
/// sequentially consistent, and the first one.
std::vector<std::uint32_t> needed_unordered(const Run& run, const DetectedRace& pair) {
  const std::vector<StepLog>& log = run.log();
  Clock clock = log[pair.first.step].clock;
  join(clock, log[pair.second.step].clock);
  std::vector<std::uint32_t> steps;
  for (std::uint32_t s = 0; s <= pair.second.step; ++s) {
    const ThreadIndex thread = log[s].thread;
    if (s == pair.second.step || (thread < clock.size() && log[s].epoch <= clock[thread])) steps.push_back(s);
  }
  return steps;
}

std::vector<std::uint32_t> up_to(std::uint32_t step) {
  std::vector<std::uint32_t> steps(step + 1);
  std::iota(steps.begin(), steps.end(), 0U);
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
  ThreadIndex running = no_thread;
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

/// The same steps take about as many instructions. One that goes on beyond where the run had stopped it, in a loop
/// without an end say, is none of them.
ReplayLimits limits_of(const Run& run) {
  constexpr std::uint64_t allowance = 1'000'000;
  return {run.limits().threads, 2 * run.instructions() + allowance};
}

/// Makes steps of a run again at the grain of accesses, and writes the schedule.
class Director {
 public:
  Director(const Subject& subject, Run& run)
      : run_(run),
        looked_for_(subject.looked_for()),
        names_(run.names(table_)),
        executor_(subject.for_replay(limits_of(run), inputs_)) {
    schedule_.program = subject.identity();
    schedule_.max_threads = run.limits().threads;
    // The executor of the replay may number threads otherwise; answers move with their threads as those appear.
    for (const Answer& answer : run.answers()) waiting_.push_back({names_[answer.thread], answer.value});
    meet(0, 0);
  }

  bool drive(const std::vector<std::uint32_t>& order) {
    const DetectedRace& race = *run_.race();
    for (const std::uint32_t s : order) {
      const StepLog& step = run_.log()[s];
      const bool is_first = s == race.first.step && step.thread == race.first.deed.thread;
      const bool is_second = s == race.second.step && step.thread == race.second.deed.thread;
      const std::optional<ThreadIndex> thread = find(step.thread);
      if (!thread) return false;
      const bool reached = is_first    ? reach(*thread, race.first, step.progress)
                           : is_second ? reach(*thread, race.second, step.progress)
                                       : advance(*thread, step.progress);
      if (!reached) return false;
    }
    const auto a = find(race.first.deed.thread);
    const auto b = find(race.second.deed.thread);
    if (!a || !b || lock_bytes_.were_used() || racing_bytes(*executor_, *a, *b).size == 0) return false;
    schedule_.first_thread = *a;
    schedule_.second_thread = *b;
    keep_values();
    return true;
  }

  /// Up to the access that the clocks see to lack an order.
  bool drive_to_unordered(const std::vector<std::uint32_t>& order) {
    RaceDetector clocks(MemoryOrders::AsWritten, looked_for_);
    std::uint32_t number = 0;
    const auto sees_pair = [&] {
      clocks.follow(number++, executor_->deeds());
      return clocks.race().has_value();
    };
    for (const std::uint32_t s : order) {
      const StepLog& step = run_.log()[s];
      const std::optional<ThreadIndex> thread = find(step.thread);
      if (!thread) return false;
      do {
        if (!one_step(*thread)) return false;
      } while (!sees_pair() && executor_->progress(*thread) < step.progress);
      if (clocks.race()) break;
    }
    if (!clocks.race()) return false;
    if (lock_bytes_.were_used_besides(clocks.race()->first.deed, clocks.race()->second.deed)) return false;
    schedule_.ending = race::Schedule::Ending::Unordered;
    schedule_.first_thread = clocks.race()->first.deed.thread;
    schedule_.second_thread = clocks.race()->second.deed.thread;
    keep_values();
    return true;
  }

  /// All these steps, then `failing` (of the run) alone until something fails; no_thread: no thread can go on then.
  bool drive_to_end(const std::vector<std::uint32_t>& order, ThreadIndex failing) {
    for (const std::uint32_t s : order) {
      if (has_failed()) break;
      const StepLog& step = run_.log()[s];
      const std::optional<ThreadIndex> thread = find(step.thread);
      if (!thread || !advance(*thread, step.progress)) return false;
    }
    schedule_.ending = race::Schedule::Ending::Deadlock;
    if (failing != no_thread) {
      constexpr int patience = 10'000;
      const std::optional<ThreadIndex> thread = find(failing);
      for (int i = 0; thread && i < patience && !has_failed(); ++i)
        if (!one_step(*thread)) return false;
      if (!thread) return false;
      schedule_.ending = race::Schedule::Ending::Failure;
      schedule_.first_thread = *thread;
    }
    keep_values();
    return has_failed();
  }

  [[nodiscard]] race::Schedule& schedule() { return schedule_; }

 private:
  [[nodiscard]] bool has_failed() const {
    return executor_->state() != EndingKind::Running || executor_->has_misused_lock();
  }

  void keep_values() {
    for (const Answer& answer : inputs_.given()) schedule_.values.push_back({answer.thread, answer.value});
  }

  [[nodiscard]] std::optional<ThreadIndex> find(ThreadIndex of_run) const {
    const auto found = by_name_.find(names_[of_run]);
    return found == by_name_.end() ? std::nullopt : std::optional(found->second);
  }

  void meet(std::uint32_t name, ThreadIndex thread) {
    by_name_[name] = thread;
    for (const Waiting& answer : waiting_)
      if (answer.name == name) inputs_.add(thread, answer.value);
  }

  bool one_step(ThreadIndex thread) {
    if (executor_->step(thread, 0).end == StepEnd::Refused) return false;
    schedule_.run(thread);
    lock_bytes_.follow(executor_->deeds());
    for (const Deed& deed : executor_->deeds())
      if (deed.kind == DeedKind::Spawn) meet_child(deed.thread, static_cast<ThreadIndex>(deed.address));
    return true;
  }

  void meet_child(ThreadIndex creator, ThreadIndex child) {
    std::uint32_t creator_name = 0;
    for (const auto& [name, thread] : by_name_)
      if (thread == creator) creator_name = name;
    meet(table_.name(creator_name, children_[creator]++), child);
  }

  bool advance(ThreadIndex thread, std::uint64_t progress) {
    // An operation need not count as an instruction: beginning to wait does not.
    if (!one_step(thread)) return false;
    while (executor_->progress(thread) < progress)
      if (!one_step(thread)) return false;
    return true;
  }

  bool reach(ThreadIndex thread, const DetectedAccess& access, std::uint64_t limit) {
    while (!stands_before(thread, access)) {
      if (executor_->progress(thread) > limit) return false;  // the step to it need not count as an instruction
      if (!one_step(thread)) return false;
    }
    return true;
  }

  bool stands_before(ThreadIndex thread, const DetectedAccess& access) {
    const NextOperation next = executor_->next(thread);
    if (access.in_section != next.in_section) return false;
    if (!access.in_section && next.key != access.deed.key) return false;
    const Bytes bytes{access.deed.address, access.deed.size};
    return std::ranges::any_of(executor_->next_accesses(thread), [&](const NextAccess& here) {
      return here.is_write != only_reads(access.deed.kind) && overlap(here.bytes, bytes);
    });
  }

  struct Waiting {
    std::uint32_t name = 0;
    std::uint64_t value = 0;
  };

  Run& run_;
  const std::optional<AccessPair>& looked_for_;
  ThreadNames table_;
  std::vector<std::uint32_t> names_;
  RecordedInputs inputs_;
  std::unique_ptr<Executor> executor_;
  std::vector<Waiting> waiting_;
  std::map<std::uint32_t, ThreadIndex> by_name_;
  std::map<ThreadIndex, std::uint32_t> children_;
  LockBytes lock_bytes_;
  race::Schedule schedule_;
};

/// The run's number of a thread of another executor.
ThreadIndex same_thread(const Run& run, const Executor& other, ThreadIndex thread) {
  if (thread == 0 || thread == no_thread) return thread;
  const Creation creation = other.creation_of(thread);
  const ThreadIndex creator = same_thread(run, other, creation.creator);
  return creator == no_thread ? no_thread : run.child(creator, creation.ordinal);
}

std::optional<ConfirmedRace> try_order(const Subject& subject, Run& run, const std::vector<std::uint32_t>& order,
                                       bool at_once = true) {
  Director director(subject, run);
  if (at_once ? !director.drive(order) : !director.drive_to_unordered(order)) return std::nullopt;
  ConfirmedRace confirmed;
  confirmed.schedule = std::move(director.schedule());
  Result<ReplayedRace> again = replay(subject, confirmed.schedule);
  if (!again) return std::nullopt;
  confirmed.race = std::move(*again);
  return confirmed;
}

}  // namespace

std::optional<race::Schedule> schedule_to(const Subject& subject, Run& run, ThreadIndex thread) {
  std::vector<std::uint32_t> steps;
  const Clock needed = thread == no_thread ? Clock{} : run.clock(thread);
  for (std::uint32_t s = 0; s < run.log().size(); ++s) {
    const StepLog& step = run.log()[s];
    if (thread == no_thread || step.thread == thread ||
        (step.thread < needed.size() && step.epoch <= needed[step.thread]))
      steps.push_back(s);
  }
  Director director(subject, run);
  if (!director.drive_to_end(steps, thread)) return std::nullopt;
  return std::move(director.schedule());
}

std::optional<ConfirmedRace> confirm_path(const Subject& subject, const Course& course, const ExecutionLimits& limits) {
  const std::vector<std::uint64_t> candidates{limits.value};
  PolicyInputs inputs(candidates, ValuePolicy::Fixed, 1);
  RunLimits run_limits;
  run_limits.instructions = 100'000'000;
  run_limits.step_instructions = limits.step_instructions;
  run_limits.takes_turns = false;
  Run run(subject, run_limits, inputs);
  // The run knows no spurious wake-ups and does not stop a thread that is alone: what it cannot do is left out.
  for (const ThreadIndex thread : course.path()) {
    if (run.over()) break;
    const ThreadIndex same = same_thread(run, course.executor(), thread);
    if (std::ranges::binary_search(run.enabled(), same)) run.step(same);
  }
  return confirm(subject, run);
}

namespace {

std::optional<ConfirmedRace> confirm_unordered(const Subject& subject, Run& run, const DetectedRace& pair) {
  const std::vector<std::uint32_t> steps = needed_unordered(run, pair);
  if (steps.size() <= reorder_limit)
    if (auto confirmed = try_order(subject, run, with_few_switches(run.log(), steps), false)) return confirmed;
  return try_order(subject, run, up_to(pair.second.step), false);
}

std::optional<ConfirmedRace> confirm_at_once(const Subject& subject, Run& run) {
  const std::vector<std::uint32_t> steps = needed_steps(run, *run.race());
  if (steps.size() <= reorder_limit)
    if (auto confirmed = try_order(subject, run, with_few_switches(run.log(), steps))) return confirmed;
  if (auto confirmed = try_order(subject, run, steps)) return confirmed;
  const std::vector<std::uint32_t> all = all_steps(run, *run.race());
  if (all.size() == steps.size() || all.size() > reorder_limit) return std::nullopt;
  return try_order(subject, run, all);
}

}  // namespace

std::optional<ConfirmedRace> confirm(const Subject& subject, Run& run) {
  if (run.race())
    if (auto confirmed = confirm_at_once(subject, run)) return confirmed;
  if (const std::optional<DetectedRace> pair = run.race_by_order()) return confirm_unordered(subject, run, *pair);
  return std::nullopt;
}

}  // namespace heddle::explore
