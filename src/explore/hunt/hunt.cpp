// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/hunt/hunt.h"

#include <algorithm>
#include <map>
#include <set>

#include "explore/evidence/attempt.h"
#include "explore/hunt/approach.h"
#include "explore/search/search.h"
#include "explore/search/strategy.h"

namespace heddle::explore {
namespace {

using KeyPair = std::pair<AccessKey, AccessKey>;

KeyPair keys_of(const AccessPair& pair) { return std::minmax(pair.first, pair.second); }

/// The first thing that kept a thread from going on.
std::string obstacle_in(Executor& executor) {
  for (const Ending& ending : executor.words().avoided()) {
    if (ending.kind == EndingKind::Unsupported)
      return "a thread was stopped at '" + ending.what + "', which cannot be run under control";
    if (ending.kind == EndingKind::LimitMet) return ending.what;
  }
  return {};
}

class Hunter {
 public:
  Hunter(Subject& subject, const std::vector<AccessPair>& suspected, const HuntOptions& options, const HuntNews& news)
      : subject_(subject),
        suspected_(suspected),
        options_(options),
        news_(news),
        candidates_(subject.candidate_values()) {}

  HuntResult hunt() {
    if (options_.makes_runs) watch_runs();
    approach_each();
    search_all();
    for (const AccessPair& pair : suspected_)
      result_.reached.push_back((makers_[pair.first].empty() ? 0U : 1U) + (makers_[pair.second].empty() ? 0U : 1U));
    return std::move(result_);
  }

 private:
  static constexpr std::uint64_t step_cost = 40, start_cost = 20'000, confirm_cost = 6;
  static constexpr std::uint64_t most_idle = 12;  ///< runs in a row that show nothing new
  static constexpr std::uint32_t most_tries = 3;  ///< to confirm one pair

  void begin(const char* stage, std::uint64_t number) const {
    if (news_.begins) news_.begins(stage, number);
  }

  [[nodiscard]] std::vector<AccessPair> open() const {
    std::vector<AccessPair> out;
    for (const AccessPair& pair : suspected_)
      if (!confirmed_.contains(keys_of(pair))) out.push_back(pair);
    return out;
  }

  [[nodiscard]] bool is_suspected(const AccessPair& pair) const {
    return std::ranges::any_of(suspected_, [&](const AccessPair& one) { return keys_of(one) == keys_of(pair); });
  }

  /// False: it is known already, or was tried often enough.
  bool is_worth_a_try(const AccessPair& pair) {
    if (confirmed_.contains(keys_of(pair))) return false;
    if (!is_suspected(pair) && besides_ >= options_.unsuspected) return false;
    return tries_[keys_of(pair)]++ < most_tries;
  }

  void add(const AccessPair& pair, const ConfirmedRace& race) {
    if (!options_.takes_unordered && race.schedule.ending == race::Schedule::Ending::Unordered) return;
    confirmed_.insert(keys_of(pair));
    if (!is_suspected(pair)) ++besides_;
    if (news_.found) news_.found(pair, race);
  }

  /// Makers and new pairs; true: some of that was not known.
  bool learn(const PairWatch& watch) {
    bool is_new = false;
    for (const AccessPair& pair : suspected_)
      for (const AccessKey key : {pair.first, pair.second})
        for (const ThreadIndex thread : watch.makers(key)) is_new = makers_[key].insert(thread).second || is_new;
    for (const AccessPair& pair : watch.met()) is_new = met_.insert(keys_of(pair)).second || is_new;
    return is_new;
  }

  // Stage one.

  void watch_runs() {
    std::uint64_t idle = 0;
    for (std::uint64_t n = options_.first_run; idle < most_idle && spent_ < options_.budget / 2; ++n, ++idle) {
      if (options_.stop.is_asked()) return;
      begin("run", n);
      PairWatch watch(suspected_);
      if (!run_number(n, watch)) return;
      if (learn(watch)) idle = 0;
      for (const AccessPair& pair : watch.met())
        if (is_worth_a_try(pair)) confirm_in_run(n, pair);
    }
  }

  /// False: no other run would show anything else.
  bool run_number(std::uint64_t n, PairWatch& watch) {
    PolicyInputs inputs = inputs_of(n);
    Run run(subject_, run_limits(n), inputs, &watch);
    finish(run, n);
    if (result_.obstacle.empty()) result_.obstacle = obstacle_in(run.executor());
    return run.executor().thread_count() > 1 || inputs.asked_for_values() || run.was_cut();
  }

  /// The same run up to the pair, and from there to the race.
  void confirm_in_run(std::uint64_t n, const AccessPair& pair) {
    if (options_.stop.is_asked()) return;
    subject_.look_only_for(pair);
    PolicyInputs inputs = inputs_of(n);
    Run run(subject_, run_limits(n), inputs);
    const std::uint64_t cost = finish(run, n);
    if (run.race() || (options_.takes_unordered && run.race_by_order())) {
      spent_ += confirm_cost * cost;
      if (const std::optional<ConfirmedRace> race = confirm(subject_, run)) add(pair, *race);
    }
    subject_.look_for_every_race();
  }

  [[nodiscard]] PolicyInputs inputs_of(std::uint64_t n) const {
    return {candidates_, attempt_number(n).values, options_.seed * 1'000'003 + n};
  }
  [[nodiscard]] RunLimits run_limits(std::uint64_t n) const { return limits_of(attempt_number(n, options_.length), n); }

  std::uint64_t finish(Run& run, std::uint64_t n) {
    const std::uint64_t most = run.limits().instructions * 4;
    Strategy strategy(attempt_number(n).strategy, options_.seed * 7919 + n, 2 + static_cast<std::uint32_t>(n % 3));
    std::uint64_t picks = 0;
    for (; !run.over() && picks * step_cost < most; ++picks) {
      if (picks % 64 == 63 && options_.stop.is_asked()) break;
      run.step(strategy.pick(run.enabled(), run.last_step_spun()));
    }
    ++result_.runs;
    const std::uint64_t cost = run.instructions() + picks * step_cost + start_cost;
    spent_ += cost;
    return cost;
  }

  // Stage two.

  /// Those first of which both accesses were seen. If the runs went to none of the two, there is little to hope for.
  void approach_each() {
    for (const std::size_t wanted : {2, 1, 0})
      for (std::size_t i = 0; i < suspected_.size(); ++i) {
        const AccessPair& pair = suspected_[i];
        const std::size_t seen = (makers_[pair.first].empty() ? 0U : 1U) + (makers_[pair.second].empty() ? 0U : 1U);
        if (seen != wanted || (seen == 0 && options_.makes_runs) || confirmed_.contains(keys_of(pair))) continue;
        if (options_.stop.is_asked() || spent_ >= options_.budget) return;
        begin("approach", i);
        approach_one(pair);
      }
  }

  void approach_one(const AccessPair& pair) {
    ApproachOptions how;
    how.budget = std::min(options_.budget_each, options_.budget - spent_);
    how.longest = std::max<std::uint64_t>(how.budget / 3, 100'000);
    how.step_cost = step_cost;
    how.seed = options_.seed;
    how.first_makers = makers_[pair.first];
    how.second_makers = makers_[pair.second];
    how.stop = options_.stop;
    const ApproachResult done = approach(subject_, pair, how);
    spent_ += done.cost;
    if (done.race) add(pair, *done.race);
  }

  // Stage three.

  void search_all() {
    if (open().empty() || options_.events == 0 || options_.stop.is_asked()) return;
    begin("search", 0);
    const ExecutionLimits limits;
    const std::unique_ptr<Executor> executor = subject_.for_search(limits);
    Course course(*executor);
    SearchLimits bounds;
    bounds.events = options_.events;
    bounds.stop = options_.stop;
    std::uint64_t work = 0, traces = 0;
    const auto look = [&](const Trace& trace) {
      work += trace.size() * (1 + trace.size() / 32);
      if (++traces % 1000 == 0) begin("search", traces);
      PairWatch watch(suspected_);
      RaceDetector clocks(subject_.memory_orders());
      clocks.watch(&watch);
      for (std::size_t i = 0; i < executor->steps(); ++i)
        clocks.follow(static_cast<std::uint32_t>(i), executor->deeds_of(i));
      learn(watch);
      for (const AccessPair& pair : watch.met())
        if (is_worth_a_try(pair)) confirm_on_path(pair, course, limits);
      return work < options_.work && !open().empty();
    };
    result_.executions = search(course, SearchKind::Optimal, bounds, look).executions;
  }

  void confirm_on_path(const AccessPair& pair, const Course& course, const ExecutionLimits& limits) {
    subject_.look_only_for(pair);
    if (const std::optional<ConfirmedRace> race = confirm_path(subject_, course, limits)) add(pair, *race);
    subject_.look_for_every_race();
  }

  Subject& subject_;
  const std::vector<AccessPair>& suspected_;
  const HuntOptions& options_;
  const HuntNews& news_;
  const std::vector<std::uint64_t> candidates_;
  std::set<KeyPair> confirmed_, met_;
  std::map<KeyPair, std::uint32_t> tries_;
  std::map<AccessKey, std::set<ThreadIndex>> makers_;
  std::uint64_t spent_ = 0, besides_ = 0;
  HuntResult result_;
};

}  // namespace

HuntResult hunt(Subject& subject, const std::vector<AccessPair>& suspected, const HuntOptions& options,
                const HuntNews& news) {
  return Hunter(subject, suspected, options, news).hunt();
}

}  // namespace heddle::explore
