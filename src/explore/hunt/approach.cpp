// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/hunt/approach.h"

#include <algorithm>
#include <map>
#include <random>

#include "explore/clocks/lock_bytes.h"
#include "explore/executor/adjacent.h"
#include "explore/search/strategy.h"

namespace heddle::explore {
namespace {

/// One step of a try; `progress`: of its thread, behind it.
struct TryStep {
  ThreadIndex thread = 0;
  std::uint64_t progress = 0;
  bool is_turn = false;  ///< it began where others got a turn, which is no step at the grain of accesses
};

struct Meeting {
  ThreadIndex first = 0;
  ThreadIndex second = 0;
};

/// One execution in which threads are held at the two accesses.
class Try {
 public:
  Try(const Subject& subject, const AccessPair& pair, const ApproachOptions& options, std::uint32_t number)
      : pair_(pair),
        options_(options),
        candidates_(subject.candidate_values()),
        inputs_(candidates_, values_of(number), options.seed * 1'000'003 + number),
        executor_(subject.for_approach({.instructions = options.longest}, inputs_, pair)),
        strategy_(strategy_of(number), options.seed * 7919 + number),
        random_(options.seed * 31 + number),
        patience_(std::uint64_t{500} << std::min(number, 6U)) {}

  /// Both threads stand before the accesses then.
  std::optional<Meeting> go() {
    greet_new_threads();
    while (cost() < options_.longest) {
      if (steps_.size() % 64 == 63 && options_.stop.is_asked()) break;
      const std::vector<ThreadIndex> enabled = executor_->enabled();
      if (executor_->stopped() || enabled.empty()) break;
      const ThreadIndex thread = choose(enabled);
      const Event event = executor_->step(thread, 0);
      held_.erase(thread);
      if (event.end == StepEnd::Refused) break;
      last_spun_ = event.used_up;
      steps_.push_back({thread, executor_->progress(thread), has_turned_[thread]});
      has_turned_[thread] = event.used_up;
      if (const std::optional<Meeting> meeting = arrive(thread)) return meeting;
      if (const std::optional<Meeting> meeting = greet_new_threads()) return meeting;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::uint64_t cost() const { return executor_->instructions() + steps_.size() * options_.step_cost; }
  [[nodiscard]] const std::vector<TryStep>& steps() const { return steps_; }
  [[nodiscard]] const std::vector<Answer>& answers() const { return inputs_.given(); }

 private:
  static ValuePolicy values_of(std::uint32_t number) {
    static constexpr ValuePolicy policies[] = {ValuePolicy::One, ValuePolicy::Zero, ValuePolicy::Candidates,
                                               ValuePolicy::Small};
    return policies[number % 4];
  }
  static StrategyKind strategy_of(std::uint32_t number) {
    static constexpr StrategyKind kinds[] = {StrategyKind::Sequential, StrategyKind::Reverse, StrategyKind::RoundRobin,
                                             StrategyKind::Random,     StrategyKind::Sticky,  StrategyKind::Priorities};
    return kinds[number % 6];
  }

  /// They may stand before one of the accesses without having made a step.
  std::optional<Meeting> greet_new_threads() {
    for (const std::size_t count = executor_->thread_count(); known_ < count;)
      if (const std::optional<Meeting> meeting = arrive(static_cast<ThreadIndex>(known_++))) return meeting;
    return std::nullopt;
  }

  /// The thread may have come to one of the accesses: then it meets another one there, or is held.
  std::optional<Meeting> arrive(ThreadIndex thread) {
    if (!executor_->is_enabled(thread)) return std::nullopt;
    const NextOperation next = executor_->next(thread);
    if (!pair_.has(next.key)) return std::nullopt;
    for (const auto& [other, since] : held_)
      if (pair_.is(executor_->next(other).key, next.key) && racing_bytes(*executor_, other, thread).size != 0)
        return Meeting{other, thread};
    // In a loop it comes again and again.
    const std::uint64_t times = arrivals_[thread]++;
    if (times < 4 || random_() % times == 0) held_[thread] = steps_.size();
    return std::nullopt;
  }

  ThreadIndex choose(const std::vector<ThreadIndex>& enabled) {
    for (const auto& [thread, since] : held_)
      if (steps_.size() - since > patience_ && std::ranges::binary_search(enabled, thread)) return thread;
    std::vector<ThreadIndex> free;
    for (const ThreadIndex thread : enabled)
      if (!held_.contains(thread)) free.push_back(thread);
    if (free.empty()) return enabled[random_() % enabled.size()];
    std::vector<ThreadIndex> likely;
    for (const ThreadIndex thread : free)
      if (is_awaited(thread)) likely.push_back(thread);
    return strategy_.pick(likely.empty() || random_() % 4 == 0 ? free : likely, last_spun_);
  }

  /// It is known to come to the other access of a pair of which one thread is held at the first.
  [[nodiscard]] bool is_awaited(ThreadIndex thread) const {
    return std::ranges::any_of(held_, [&](const auto& one) {
      const AccessKey here = executor_->next(one.first).key;
      return (here == pair_.first && options_.second_makers.contains(thread)) ||
             (here == pair_.second && options_.first_makers.contains(thread));
    });
  }

  const AccessPair& pair_;
  const ApproachOptions& options_;
  std::vector<std::uint64_t> candidates_;
  PolicyInputs inputs_;
  std::unique_ptr<Executor> executor_;
  Strategy strategy_;
  std::mt19937_64 random_;
  std::uint64_t patience_;                         ///< steps of others for which a thread is held
  std::map<ThreadIndex, std::size_t> held_;        ///< since which step
  std::map<ThreadIndex, std::uint64_t> arrivals_;  ///< so often
  std::map<ThreadIndex, bool> has_turned_;         ///< it stands where others got a turn
  std::vector<TryStep> steps_;
  std::size_t known_ = 0;  ///< threads
  bool last_spun_ = false;
};

/// The same execution at the grain of accesses, as a schedule, and replayed.
std::optional<ConfirmedRace> show_again(const Subject& subject, const Try& tried, const Meeting& meeting) {
  RecordedInputs inputs;
  for (const Answer& answer : tried.answers()) inputs.add(answer.thread, answer.value);
  const std::unique_ptr<Executor> executor = subject.for_replay({}, inputs);
  ConfirmedRace out;
  out.schedule.program = subject.identity();
  out.schedule.max_threads = ReplayLimits{}.threads;
  LockBytes locks;
  const auto go_on = [&](ThreadIndex thread) {
    if (executor->step(thread, 0).end == StepEnd::Refused) return false;
    out.schedule.run(thread);
    locks.follow(executor->deeds());
    return true;
  };
  for (const TryStep& step : tried.steps()) {
    if (step.thread >= executor->thread_count()) return std::nullopt;
    // Beginning to wait is a step that does not count.
    const bool counts = executor->progress(step.thread) < step.progress;
    if (!counts && !step.is_turn && !go_on(step.thread)) return std::nullopt;
    while (executor->progress(step.thread) < step.progress)
      if (!go_on(step.thread)) return std::nullopt;
  }
  const std::size_t threads = executor->thread_count();
  if (meeting.first >= threads || meeting.second >= threads || locks.were_used() ||
      racing_bytes(*executor, meeting.first, meeting.second).size == 0)
    return std::nullopt;
  out.schedule.first_thread = meeting.first;
  out.schedule.second_thread = meeting.second;
  for (const Answer& answer : inputs.given()) out.schedule.values.push_back({answer.thread, answer.value});
  Result<ReplayedRace> again = replay(subject, out.schedule);
  if (!again) return std::nullopt;
  out.race = std::move(*again);
  return out;
}

}  // namespace

ApproachResult approach(const Subject& subject, const AccessPair& pair, const ApproachOptions& options) {
  ApproachResult result;
  for (std::uint32_t number = 0; number < options.tries && result.cost < options.budget; ++number) {
    if (options.stop.is_asked()) break;
    constexpr std::uint64_t start_cost = 20'000;  // an execution costs something, however short it is
    Try tried(subject, pair, options, number);
    const std::optional<Meeting> meeting = tried.go();
    result.cost += tried.cost() + start_cost;
    if (!meeting) continue;
    result.race = show_again(subject, tried, *meeting);
    result.cost += 2 * tried.cost();
    if (result.race) break;
  }
  return result;
}

}  // namespace heddle::explore
