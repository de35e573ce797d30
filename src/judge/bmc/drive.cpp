// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/bmc/drive.h"

#include <algorithm>
#include <map>
#include <set>

#include "explore/executor/adjacent.h"
#include "explore/sides/access_key.h"

namespace heddle::judge::bmc {
namespace {

using explore::Executor;
using explore::ThreadIndex;

/// Answers with the values of a witness: each thread's in order. What it did not ask for (how many arguments main gets)
/// is zero.
class WitnessInputs final : public explore::Inputs {
 public:
  void give(ThreadIndex thread, std::vector<Witness::Value> values) { values_[thread] = std::move(values); }

  /// Whom the next signal wakes: that number of so many.
  void wake(std::uint64_t number, std::uint64_t of) {
    woken_ = number;
    waiters_ = of;
  }

  std::uint64_t choose(const explore::Question& question) override {
    if (question.bits == 0) return chosen_waiter(question);
    const std::vector<Witness::Value>& all = values_[question.thread];
    std::size_t& next = next_[question.thread];
    const bool is_it = question.count == 0 && next < all.size() && all[next].bits == question.bits;
    const std::uint64_t value = is_it ? all[next++].value : 0;
    was_value_.push_back(is_it);
    given_.push_back({question.thread, value});
    return value;
  }

  void take_back(std::size_t count) override {
    for (; given_.size() > count; given_.pop_back(), was_value_.pop_back())
      if (was_value_.back()) --next_[given_.back().thread];
  }

 private:
  std::uint64_t chosen_waiter(const explore::Question& question) {
    was_value_.push_back(false);
    given_.push_back({question.thread, question.count == waiters_ ? woken_ : 0});
    return given_.back().value;
  }

  std::uint64_t woken_ = 0, waiters_ = 0;
  std::map<ThreadIndex, std::vector<Witness::Value>> values_;
  std::map<ThreadIndex, std::size_t> next_;
  std::vector<bool> was_value_;
};

constexpr std::uint64_t most_instructions = 20'000'000;
constexpr int most_steps_to_event = 200'000;

class Driver {
 public:
  Driver(const explore::Subject& subject, const Execution& execution, const Witness& witness)
      : subject_(subject),
        execution_(execution),
        witness_(witness),
        executor_(subject.for_replay({.instructions = most_instructions}, inputs_)) {
    schedule_.program = subject.identity();
    schedule_.max_threads = explore::ReplayLimits{}.threads;
    inputs_.give(0, witness.values[0]);
    index_of_[0] = 0;
    for (const UnrolledEvent& event : execution.events)
      if (event.begun != nobody) wakes_.insert(explore::key_of(event.function, event.instruction));
  }

  Driven drive() {
    Driven out;
    plan();
    for (const Witness::Step& step : witness_.steps)
      if (!make(step)) return {std::nullopt, why_};
    for (const EventNumber number : {witness_.first, witness_.second})
      if (reach(execution_.events[number]) != Reached::Here) return {std::nullopt, why_};
    schedule_.first_thread = index_of_[execution_.events[witness_.first].thread];
    schedule_.second_thread = index_of_[execution_.events[witness_.second].thread];
    if (explore::racing_bytes(*executor_, schedule_.first_thread, schedule_.second_thread).size == 0)
      return {std::nullopt, "both threads come to their accesses, and these do not race"};
    for (const explore::Answer& answer : inputs_.given()) schedule_.values.push_back({answer.thread, answer.value});
    Result<explore::ReplayedRace> again = explore::replay(subject_, schedule_);
    if (!again) return {std::nullopt, again.error().message};
    out.race = explore::ConfirmedRace{std::move(schedule_), std::move(*again)};
    return out;
  }

 private:
  [[nodiscard]] std::string place_of_event(const UnrolledEvent& event) const {
    return "thread " + std::to_string(event.thread) + ", " +
           subject_.where(explore::key_of(event.function, event.instruction));
  }

  /// The section that a racing access lies in is not made: its thread stands before it.
  [[nodiscard]] bool is_last(PointNumber point) const {
    const auto is_it = [&](EventNumber number) {
      return execution_.events[number].in_section && execution_.events[number].point == point;
    };
    return is_it(witness_.first) || is_it(witness_.second);
  }

  /// What a thread will stand before, if the interpreter stops there.
  struct Standpoint {
    explore::AccessKey key = explore::no_access;
    bool in_section = false;
    [[nodiscard]] bool is(const explore::NextOperation& next) const {
      return in_section ? next.in_section : next.key == key && !next.in_section;
    }
  };
  static Standpoint standpoint_of(const UnrolledEvent& event) {
    return {explore::key_of(event.function, event.instruction), event.in_section};
  }

  void plan() {
    standpoints_.resize(execution_.threads.size());
    for (const Witness::Step& step : witness_.steps) {
      if (is_last(step.point)) continue;
      bool is_begun = false;
      for (const EventNumber number : step.events) {
        const UnrolledEvent& event = execution_.events[number];
        if (event.is_part || (event.in_section && is_begun)) continue;
        is_begun = true;
        standpoints_[step.thread].push_back(standpoint_of(event));
      }
    }
    for (const EventNumber number : {witness_.first, witness_.second})
      standpoints_[execution_.events[number].thread].push_back(standpoint_of(execution_.events[number]));
    for (std::vector<Standpoint>& standpoints : standpoints_) std::ranges::reverse(standpoints);
  }

  bool make(const Witness::Step& step) {
    if (is_last(step.point)) return true;
    if (execution_.threads[step.thread].end == step.point) return run_to_end(step.thread);
    bool is_begun = false;
    for (const EventNumber number : step.events) {
      const UnrolledEvent& event = execution_.events[number];
      if (event.is_part || (event.in_section && is_begun)) continue;
      is_begun = true;
      if (const std::optional<ThreadNumber> child = started_at(event.point)) {
        if (!start(event, *child)) return false;
      } else if (!is_alone()) {
        const Reached reached = reach(event);
        if (reached == Reached::Nowhere) return false;
        if (const auto woken = witness_.woken.find(number); woken != witness_.woken.end()) choose_waiter(woken->second);
        if (reached == Reached::Here && !one_step(event.thread)) return fail("cannot go on", event);
      }
      standpoints_[event.thread].pop_back();
    }
    return true;
  }

  /// As far as can be told from outside who waits for a signal, in the order of their numbers.
  void choose_waiter(ThreadNumber thread) {
    std::vector<ThreadIndex> waiting;
    for (ThreadIndex t = 0; t < executor_->thread_count(); ++t)
      if (executor_->standing(t) == explore::Standing::Waits && wakes_.contains(executor_->next(t).key) &&
          !signalled_.contains(t))
        waiting.push_back(t);
    const auto found = std::ranges::find(waiting, index_of_[thread]);
    if (found == waiting.end()) return;
    inputs_.wake(static_cast<std::uint64_t>(found - waiting.begin()), waiting.size());
    signalled_.insert(*found);
  }

  bool run_to_end(ThreadNumber number) {
    if (!index_of_.contains(number)) return true;  // its start is the witness's last word on it
    for (int i = 0; i < most_steps_to_event; ++i) {
      if (executor_->standing(index_of_[number]) == explore::Standing::Finished) return true;
      if (!one_step(number)) break;
    }
    why_ = "thread " + std::to_string(number) + " does not come to its end";
    return false;
  }

  [[nodiscard]] std::optional<ThreadNumber> started_at(PointNumber point) const {
    for (ThreadNumber child = 0; child < execution_.threads.size(); ++child)
      if (execution_.threads[child].created_at == point) return child;
    return std::nullopt;
  }

  /// Then it does not stop before what it does: nobody could tell.
  [[nodiscard]] bool is_alone() const {
    std::size_t live = 0;
    for (ThreadIndex t = 0; t < executor_->thread_count(); ++t)
      live += executor_->standing(t) != explore::Standing::Finished ? 1 : 0;
    return live < 2;
  }

  bool start(const UnrolledEvent& event, ThreadNumber child) {
    if (!index_of_.contains(event.thread)) return fail("was not started", event);
    const ThreadIndex creator = index_of_[event.thread];
    const std::uint32_t ordinal = started_[event.thread]++;
    for (int i = 0; i < most_steps_to_event; ++i) {
      for (ThreadIndex t = 1; t < executor_->thread_count(); ++t) {
        const explore::Creation creation = executor_->creation_of(t);
        if (creation.creator != creator || creation.ordinal != ordinal) continue;
        index_of_[child] = t;
        inputs_.give(t, witness_.values[child]);
        return true;
      }
      if (!one_step(event.thread)) return fail("cannot start anybody", event);
    }
    return fail("starts nobody", event);
  }

  enum class Reached { Here, Beyond, Nowhere };

  /// The interpreter does not stop before memory that nobody else knows yet: then it stands before what comes later.
  Reached reach(const UnrolledEvent& event) {
    if (!index_of_.contains(event.thread)) return fail("was not started", event), Reached::Nowhere;
    const ThreadIndex thread = index_of_[event.thread];
    const std::vector<Standpoint>& standpoints = standpoints_[event.thread];
    for (int i = 0; i < most_steps_to_event; ++i) {
      const explore::NextOperation next = executor_->next(thread);
      if (standpoints.back().is(next)) return Reached::Here;
      if (std::ranges::any_of(standpoints, [&](const Standpoint& later) { return later.is(next); }))
        return Reached::Beyond;
      if (!one_step(event.thread)) return fail("cannot come there", event), Reached::Nowhere;
    }
    return fail("does not come there", event), Reached::Nowhere;
  }

  bool fail(const char* what, const UnrolledEvent& event) {
    why_ = place_of_event(event) + ": it " + what;
    return false;
  }

  bool one_step(ThreadNumber number) {
    const ThreadIndex thread = index_of_[number];
    if (executor_->step(thread, 0).end == explore::StepEnd::Refused) return false;
    schedule_.run(thread);
    signalled_.erase(thread);
    return true;
  }

  const explore::Subject& subject_;
  const Execution& execution_;
  const Witness& witness_;
  WitnessInputs inputs_;
  std::unique_ptr<Executor> executor_;
  std::map<ThreadNumber, ThreadIndex> index_of_;
  std::map<ThreadNumber, std::uint32_t> started_;     ///< so many by each
  std::vector<std::vector<Standpoint>> standpoints_;  ///< of each thread, the next one last
  std::set<explore::AccessKey> wakes_;                ///< where threads wait for signals
  std::set<ThreadIndex> signalled_;                   ///< and have not gone on since
  race::Schedule schedule_;
  std::string why_;
};

}  // namespace

Driven drive(const explore::Subject& subject, const Execution& execution, const Witness& witness) {
  return Driver(subject, execution, witness).drive();
}

}  // namespace heddle::judge::bmc
