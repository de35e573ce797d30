// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that sees an Executor alone, on the toy executor: what works here and on the interpreter rests on neither.
#include <gtest/gtest.h>

#include <algorithm>

#include "explore/clocks/first_race.h"
#include "explore/evidence/enumerate.h"
#include "explore/evidence/few_preemptions.h"
#include "explore/evidence/find_race.h"
#include "explore/search/strategy.h"
#include "explore/toy_executor.h"
#include "judge/explore/searches.h"

namespace heddle::explore {
namespace HEDDLE_TEST_FILE {

using toy::ToySubject;

const std::vector<std::uint64_t> no_candidates{0};

/// The threads of `others` are created and joined by main.
std::vector<std::string> with_main(const std::vector<std::string>& others) {
  std::string create, join;
  for (std::size_t i = 1; i <= others.size(); ++i) {
    create += "f" + std::to_string(i) + " ";
    join += "j" + std::to_string(i) + " ";
  }
  std::vector<std::string> threads{create + join};
  threads.insert(threads.end(), others.begin(), others.end());
  return threads;
}

// --- the clocks ------------------------------------------------------------------------------------------------------

/// Some execution of the search has a race, as far as clocks see it.
bool clocks_see_race(const std::vector<std::string>& others,
                     MemoryOrders orders = MemoryOrders::SequentiallyConsistent) {
  const ToySubject subject(with_main(others));
  const std::unique_ptr<Executor> executor = subject.for_search({});
  bool races = false;
  search(*executor, SearchKind::Optimal, {}, [&](const Trace&) {
    races = races || first_race(*executor, orders).has_value();
    return true;
  });
  return races;
}

TEST(ToyClocks, FollowLocksSemaphoresAndMessages) {
  EXPECT_TRUE(clocks_see_race({"S0=1", "S0=2"}));
  EXPECT_TRUE(clocks_see_race({"S0=1", "L0"}));
  EXPECT_FALSE(clocks_see_race({"L0", "L0"}));
  EXPECT_FALSE(clocks_see_race({"S0=1", "S1=1"}));
  EXPECT_FALSE(clocks_see_race({"l0 S0=1 u0", "l0 S0=2 u0"}));
  EXPECT_TRUE(clocks_see_race({"l0 S0=1 u0", "l1 S0=2 u1"}));
  EXPECT_FALSE(clocks_see_race({"S0=1 p0", "s0 S0=2"}));
  EXPECT_TRUE(clocks_see_race({"p0 S0=1", "s0 S0=2"}));
  EXPECT_FALSE(clocks_see_race({"S0=1 w0=1", "a0=1 S0=2"}));
  EXPECT_TRUE(clocks_see_race({"w0=1 S0=1", "a0=1 S0=2"}));
}

TEST(ToyClocks, SeeARaceThatOneOrderOnlyShows) {
  EXPECT_TRUE(clocks_see_race({"w0=1", "R0 S0=1", "l0 S0=2 u0"}));
  EXPECT_FALSE(clocks_see_race({"w0=1", "R0 S1=1", "l0 S0=2 u0"}));
  EXPECT_TRUE(clocks_see_race({"w0=1 S0=2", "R0 E S0=1"}));
  EXPECT_FALSE(clocks_see_race({"S0=2 w0=1", "R0 E S0=1"}));
}

TEST(ToyClocks, TakeMemoryOrdersAsTheyAreWritten) {
  const std::vector<std::string> message{"S0=1 v0=1", "q0=1 S0=2"}, ordered{"S0=1 w0=1", "q0=1 S0=2"};
  EXPECT_FALSE(clocks_see_race(message));
  EXPECT_TRUE(clocks_see_race(message, MemoryOrders::AsWritten));
  EXPECT_FALSE(clocks_see_race(ordered, MemoryOrders::AsWritten));
}

TEST(ToyClocks, NeedBothSidesOfAMessageToBeOrdered) {
  const auto races = [](const std::string& write, const std::string& read, MemoryOrders orders) {
    toy::ToyExecutor executor(toy::parse(with_main({"S0=1 " + write, read + " S0=2"})));
    for (const ThreadIndex thread : {0U, 0U, 1U, 1U, 2U}) executor.step(thread, 0);
    return first_race(executor, orders).has_value();
  };
  EXPECT_FALSE(races("v0=1", "y0", MemoryOrders::SequentiallyConsistent));
  EXPECT_FALSE(races("w0=1", "r0", MemoryOrders::AsWritten));
  EXPECT_TRUE(races("w0=1", "y0", MemoryOrders::AsWritten));
  EXPECT_TRUE(races("v0=1", "r0", MemoryOrders::AsWritten));
}

TEST(ToyClocks, NoteALockThatItsHolderWaitsFor) {
  const ToySubject subject(with_main({"l0 l0"}));
  const std::unique_ptr<Executor> executor = subject.for_search({});
  std::set<std::string> gaps;
  search(*executor, SearchKind::Optimal, {}, [&](const Trace&) {
    first_race(*executor, gaps);
    return true;
  });
  EXPECT_EQ(gaps, std::set<std::string>{"a thread waits for a lock that it holds itself"});
}

// --- single runs and schedulers --------------------------------------------------------------------------------------

std::vector<ThreadIndex> order_of(const ToySubject& subject, StrategyKind kind, std::uint64_t seed = 1) {
  PolicyInputs inputs(no_candidates, ValuePolicy::Zero, seed);
  explore::Run run(subject, {}, inputs);
  Strategy strategy(kind, seed);
  while (!run.over()) run.step(strategy.pick(run.enabled(), run.last_step_spun()));
  std::vector<ThreadIndex> order;
  for (const StepLog& step : run.log()) order.push_back(step.thread);
  return order;
}

TEST(ToyRun, EveryStrategyRunsToTheEnd) {
  const ToySubject subject(with_main({"x0 x0 x0", "x1 x1 x1"}));
  using Order = std::vector<ThreadIndex>;
  EXPECT_EQ(order_of(subject, StrategyKind::Sequential), (Order{0, 0, 1, 1, 1, 0, 2, 2, 2, 0}));
  EXPECT_EQ(order_of(subject, StrategyKind::Reverse), (Order{0, 1, 1, 1, 0, 2, 2, 2, 0, 0}));
  EXPECT_EQ(order_of(subject, StrategyKind::RoundRobin), (Order{0, 1, 0, 1, 2, 1, 2, 0, 2, 0}));
  for (const StrategyKind kind : {StrategyKind::Random, StrategyKind::Sticky, StrategyKind::Priorities})
    for (std::uint64_t seed = 1; seed <= 5; ++seed) EXPECT_EQ(order_of(subject, kind, seed).size(), 10U);
}

TEST(ToyRun, SeesTheRaceAndStops) {
  const ToySubject subject(with_main({"S0=1 x0 x0", "S0=2"}));
  PolicyInputs inputs(no_candidates, ValuePolicy::Zero, 1);
  explore::Run run(subject, {}, inputs);
  for (const ThreadIndex thread : {0U, 0U, 1U, 2U}) {
    EXPECT_FALSE(run.over());
    EXPECT_TRUE(run.step(thread));
  }
  EXPECT_TRUE(run.over());
  ASSERT_TRUE(run.race());
  EXPECT_EQ(subject.where(run.race()->first.deed.key), "thread 1:0");
  EXPECT_EQ(subject.where(run.race()->second.deed.key), "thread 2:0");
}

TEST(ToyRun, LeavesThreadsBeyondTheCapAlone) {
  const ToySubject subject({"f1 f2", "S0=1", "S0=2"});
  PolicyInputs inputs(no_candidates, ValuePolicy::Zero, 1);
  RunLimits limits;
  limits.instances = 0;
  explore::Run run(subject, limits, inputs);
  while (!run.over()) run.step(run.enabled().front());
  EXPECT_TRUE(run.capped());
  EXPECT_EQ(run.log().size(), 2U);
}

TEST(ToyRun, LogsTheInputsItGave) {
  const ToySubject subject(with_main({"x0 n=7 S0=1"}));
  const std::vector<std::uint64_t> candidates = subject.candidate_values();
  EXPECT_EQ(candidates, (std::vector<std::uint64_t>{0, 1, 7, ~std::uint64_t{0}}));
  PolicyInputs inputs(candidates, ValuePolicy::One, 1);
  explore::Run run(subject, {}, inputs);
  while (!run.over()) run.step(run.enabled().front());
  ASSERT_EQ(run.answers().size(), 1U);
  EXPECT_EQ(run.answers()[0].thread, 1U);
  EXPECT_EQ(run.answers()[0].value, 1U);
  EXPECT_TRUE(inputs.asked_for_values());
}

// --- spinning, deadlocks, adjacent accesses --------------------------------------------------------------------------

Enumeration count(const std::vector<std::string>& threads, SearchKind kind, bool at_accesses = false) {
  EnumerateOptions options;
  options.kind = kind;
  options.at_accesses = at_accesses;
  return enumerate(ToySubject(threads), options);
}

/// All searches have to agree about the traces.
Enumeration same_in_all(const std::vector<std::string>& threads, bool at_accesses = false) {
  const Enumeration all = count(threads, SearchKind::Exhaustive, at_accesses);
  EXPECT_TRUE(all.statistics.complete);
  for (const SearchKind kind : {SearchKind::Classic, SearchKind::Source, SearchKind::Optimal}) {
    const Enumeration seen = count(threads, kind, at_accesses);
    EXPECT_EQ(seen.digest, all.digest) << static_cast<int>(kind);
    EXPECT_EQ(seen.deadlocks, all.deadlocks);
    EXPECT_EQ(seen.livelocks, all.livelocks);
    EXPECT_EQ(seen.gaps, all.gaps);
  }
  return all;
}

TEST(ToySpinning, StopsWithTheFirstRoundThatDidNothing) {
  const Enumeration seen = same_in_all({"w0=1", "q0=1"});
  EXPECT_EQ(seen.traces, 3U) << "the variable is read twice before it is set, once, or only behind";
  EXPECT_EQ(seen.livelocks, 0U);
  EXPECT_TRUE(seen.gaps.empty());
}

TEST(ToySpinning, IsALivelockIfNobodyCanEndIt) {
  EXPECT_EQ(same_in_all({"q0=1", "q1=1"}).livelocks, 1U);
  EXPECT_EQ(same_in_all({"q0=1 w1=1", "w0=1 q1=1"}).livelocks, 0U);
  EXPECT_EQ(same_in_all({"q0=1"}).traces, 1U);
}

/// Thread 0 makes so many steps alone, if it can; true: it is stopped then.
bool is_stopped(const std::vector<std::string>& threads, std::size_t steps) {
  toy::ToyExecutor executor(toy::parse(threads));
  Course course(executor);
  course.restart();
  const auto can_go_on = [&] { return std::ranges::binary_search(course.enabled(), 0U); };
  for (std::size_t i = 0; i < steps && can_go_on(); ++i) course.step(0, 0);
  return !can_go_on();
}

TEST(ToySpinning, ARoundMayHoldALockForAWhileOnlyIfNobodyTries) {
  const std::string round = "l0 r5 u0 R0 b4 S0=1";
  EXPECT_FALSE(is_stopped({round, "w0=1"}, 6));
  EXPECT_TRUE(is_stopped({round, "w0=1"}, 7)) << "from one unlock to the next";
  EXPECT_FALSE(is_stopped({round, "t0 w0=1 u0"}, 80)) << "a try of the other thread can tell";
  EXPECT_TRUE(is_stopped({"l0 q0=1 u0", "t0 w0=1 u0"}, 3)) << "it held the lock before the round";
}

TEST(ToySpinning, ARoundMayTakeAPermitAndGiveItBack) {
  EXPECT_FALSE(is_stopped({"p0 s0 p0 R0 b3", "w0=1"}, 3));
  EXPECT_TRUE(is_stopped({"p0 s0 p0 R0 b3", "w0=1"}, 4));
  EXPECT_FALSE(is_stopped({"p0 R0 b2", "w0=1"}, 80)) << "each round makes a permit";
  EXPECT_FALSE(is_stopped({"x1 R0 b2", "w0=1"}, 80)) << "each round leaves something behind";
  EXPECT_TRUE(is_stopped({"w1=1 R0 b2", "w0=1"}, 4)) << "the second round writes what is there already";
}

TEST(ToySpinning, IsTakenBackWithItsSteps) {
  toy::ToyExecutor executor(toy::parse({"q0=1", "w0=1"}));
  Course course(executor);
  course.restart();
  course.step(0, 0);
  course.step(0, 0);
  EXPECT_EQ(course.enabled(), std::vector<ThreadIndex>{1});
  course.rewind(1);
  EXPECT_EQ(course.enabled(), (std::vector<ThreadIndex>{0, 1}));
  EXPECT_EQ(course.path(), std::vector<ThreadIndex>{0});
}

TEST(ToyCourse, TellsDeadlocksFromEndings) {
  EXPECT_EQ(same_in_all({"l0 l1 u1 u0", "l1 l0 u0 u1"}).deadlocks, 1U);
  EXPECT_EQ(same_in_all({"l0 u0", "l0 u0"}).deadlocks, 0U);
  EXPECT_EQ(same_in_all({"s0", "E"}).deadlocks, 0U) << "the program may end";
  EXPECT_EQ(same_in_all({"s0", "w0=1 e0"}).deadlocks, 0U) << "a failed assertion ends it";
}

TEST(ToyCourse, LooksForAdjacentAccesses) {
  EXPECT_TRUE(same_in_all(with_main({"S0=1", "S0=2"}), true).adjacent);
  EXPECT_TRUE(same_in_all(with_main({"S0=1", "L0"}), true).adjacent);
  EXPECT_FALSE(same_in_all(with_main({"L0", "L0"}), true).adjacent);
  EXPECT_FALSE(same_in_all(with_main({"l0 S0=1 u0", "l0 S0=2 u0"}), true).adjacent);
  EXPECT_FALSE(same_in_all(with_main({"w0=1", "w0=2"}), true).adjacent);
}

TEST(ToyEnumerate, FindsRacesByBothOrders) {
  const ToySubject subject(with_main({"S0=1 v0=1", "q0=1 S0=2"}));
  const Enumeration seen = enumerate(subject, {});
  EXPECT_FALSE(seen.race);
  ASSERT_TRUE(seen.weak_race);
  EXPECT_EQ(subject.where((*seen.weak_race)[0]), "thread 1:0");
  EXPECT_EQ(subject.where((*seen.weak_race)[1]), "thread 2:1");
  EXPECT_TRUE(enumerate(ToySubject(with_main({"S0=1", "S0=1"})), {}).race);
}

// --- evidence --------------------------------------------------------------------------------------------------------

race::Schedule schedule_of(const ToySubject& subject, const std::string& rest) {
  const Result<race::Schedule> schedule =
      race::parse_schedule("heddle-schedule 1\nprogram " + subject.identity() + "\nthreads 300\n" + rest, "test");
  EXPECT_TRUE(schedule) << schedule.error().message;
  return *schedule;
}

TEST(ToyReplay, ShowsTheRaceWithItsWords) {
  const ToySubject subject(with_main({"x0 l0 S0=1 u0", "S0=2"}));
  const Result<ReplayedRace> race = replay(subject, schedule_of(subject, "run 0 2\nrun 1 2\nrace 1 2\n"));
  ASSERT_TRUE(race) << race.error().message;
  EXPECT_EQ(race->variable, "cell 0");
  EXPECT_EQ(race->value, "0");
  EXPECT_EQ(race->first.kind, "write");
  EXPECT_EQ(race->first.thread, "thread 1");
  EXPECT_EQ(race->first.locks, std::vector<std::string>{"lock 0"});
  EXPECT_TRUE(race->second.locks.empty());
  EXPECT_EQ(subject.where(race->first_operation.key), "thread 1:2");
  EXPECT_EQ(subject.where(race->second_operation.key), "thread 2:0");
  EXPECT_EQ(race->context_switches, 1U);
}

TEST(ToyReplay, RefusesWhatIsNotThere) {
  const ToySubject subject(with_main({"l0 S0=1 u0", "l0 S0=2 u0"}));
  const auto message = [&](const race::Schedule& schedule) {
    const Result<ReplayedRace> race = replay(subject, schedule);
    return race ? std::string("accepted") : race.error().message;
  };
  EXPECT_NE(message(schedule_of(ToySubject({"x0"}), "run 0 1\nrace 0 1\n")).find("another program"), std::string::npos);
  EXPECT_EQ(message(schedule_of(subject, "run 0 2\nrun 1 1\nrun 2 1\nrace 1 2\n")),
            "step 3: thread 2 cannot go on there");
  EXPECT_EQ(message(schedule_of(subject, "run 0 2\nrun 1 1\nrace 1 2\n")),
            "the schedule ran to its end, and its two threads do not race there");
  EXPECT_EQ(message(schedule_of(subject, "run 0 2\nrun 1 1\nrace 1 9\n")),
            "the schedule ran to its end, and its two threads do not race there");
  EXPECT_EQ(message(schedule_of(subject, "run 7 1\nrace 1 2\n")), "step 0: thread 7 cannot go on there");
}

TEST(ToyReplay, ShowsDeadlocksAndFailures) {
  const ToySubject locks(with_main({"l0 l1", "l1 l0"}));
  const Result<ReplayedEnding> deadlock =
      replay_ending(locks, schedule_of(locks, "run 0 2\nrun 1 1\nrun 2 1\ndeadlock\n"));
  ASSERT_TRUE(deadlock) << deadlock.error().message;
  EXPECT_EQ(deadlock->kind, "deadlock");
  EXPECT_EQ(deadlock->stack.size(), 3U) << "where each thread waits";
  EXPECT_FALSE(replay_ending(locks, schedule_of(locks, "run 0 2\nrun 1 1\ndeadlock\n")));

  const ToySubject asserts(with_main({"w0=1 e0"}));
  const Result<ReplayedEnding> failure = replay_ending(asserts, schedule_of(asserts, "run 0 1\nrun 1 2\nfails 1\n"));
  ASSERT_TRUE(failure) << failure.error().message;
  EXPECT_EQ(failure->kind, "failed assertion");
  EXPECT_EQ(failure->thread, "thread 1");
  EXPECT_FALSE(replay_ending(asserts, schedule_of(asserts, "run 0 1\nrun 1 1\nfails 1\n")));
  EXPECT_FALSE(replay_ending(asserts, schedule_of(asserts, "run 0 1\nrun 1 2\nfails 9\n"))) << "no such thread";

  const ToySubject misuses(with_main({"u0"}));
  const Result<ReplayedEnding> misuse = replay_ending(misuses, schedule_of(misuses, "run 0 1\nrun 1 1\nfails 1\n"));
  ASSERT_TRUE(misuse) << misuse.error().message;
  EXPECT_EQ(misuse->kind, "misused lock");
}

std::string slices_of(const race::Schedule& schedule) {
  const std::string text = to_text(schedule);
  return text.substr(text.find("threads 300\n") + 12);
}

std::optional<ConfirmedRace> confirm_order(const ToySubject& subject, const std::vector<ThreadIndex>& order,
                                           std::uint64_t value = 0) {
  const std::vector<std::uint64_t> candidates{value};
  PolicyInputs inputs(candidates, ValuePolicy::Fixed, 1);
  explore::Run run(subject, {}, inputs);
  for (const ThreadIndex thread : order) EXPECT_TRUE(run.step(thread));
  EXPECT_TRUE(run.race());
  return run.race() ? confirm(subject, run) : std::nullopt;
}

TEST(ToyConfirm, RunsAgainOnlyWhatTheRaceNeeds) {
  const ToySubject subject(with_main({"l0 S0=1 u0", "x5 S0=2", "x6 x7 x8"}));
  const auto confirmed = confirm_order(subject, {0, 0, 0, 3, 1, 3, 2});
  ASSERT_TRUE(confirmed);
  EXPECT_EQ(slices_of(confirmed->schedule), "run 0 2\nrun 1 1\nrun 2 1\nrace 1 2\n") << "thread 3 is not needed";
  EXPECT_EQ(confirmed->race.variable, "cell 0");
  EXPECT_EQ(confirmed->race.first.locks, std::vector<std::string>{"lock 0"});
}

TEST(ToyConfirm, TakesInputsAlong) {
  const ToySubject subject(with_main({"x0 n=7 S0=1", "S0=2"}));
  const auto confirmed = confirm_order(subject, {0, 0, 1, 2}, 7);
  ASSERT_TRUE(confirmed);
  EXPECT_EQ(slices_of(confirmed->schedule), "value 1 7\nrun 0 2\nrun 1 1\nrace 1 2\n");
}

/// The failed try shows that the other thread is behind its store; clocks know no order there.
const std::vector<std::string> order_by_failed_try = with_main({"S0=1 l0", "t0 u0 E S0=2"});

TEST(ToyConfirm, ReturnsNothingThatNoReplayShows) {
  EXPECT_FALSE(confirm_order(ToySubject(order_by_failed_try), {0, 0, 1, 1, 2}));
}

TEST(ToyExhaust, ProvesWhatHasNoRace) {
  const ExhaustResult all = prove_by_exhaustion(ToySubject(with_main({"l0 S0=1 u0", "l0 S0=2 u0"})), {});
  ASSERT_TRUE(all.proof) << all.why;
  EXPECT_EQ(all.proof->seen(), 2U);
  EXPECT_TRUE(all.proof->assumptions().contains("sequential-consistency"));
  EXPECT_TRUE(prove_by_exhaustion(ToySubject(with_main({"S0=1 w0=1", "q0=1 S0=2"})), {}).proof);
}

TEST(ToyExhaust, ConfirmsTheRaceThatOneOrderShows) {
  const ToySubject subject(with_main({"w0=1", "R0 S0=1", "S0=2"}));
  const ExhaustResult all = prove_by_exhaustion(subject, {});
  EXPECT_FALSE(all.proof);
  ASSERT_TRUE(all.race) << all.why;
  const Result<ReplayedRace> again = replay(subject, all.race->schedule);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->variable, "cell 0");
}

TEST(ToyExhaust, SaysWhatKeepsItFromAProof) {
  const std::vector<std::string> fine = with_main({"x0", "x0"});
  EXPECT_TRUE(prove_by_exhaustion(ToySubject(fine), {}).proof);
  ToySubject open(fine);
  open.add_open_end("it reads the clock");
  EXPECT_EQ(prove_by_exhaustion(open, {}).why, "it reads the clock");
  EXPECT_FALSE(prove_by_exhaustion(open, {}).proof);
  EXPECT_EQ(prove_by_exhaustion(ToySubject(with_main({"x0 n=3 x1", "x0"})), {}).why, input_was_chosen);
  EXPECT_NE(prove_by_exhaustion(ToySubject(with_main({"l0 l0"})), {}).why.find("it holds itself"), std::string::npos);
  const std::string unreached = prove_by_exhaustion(ToySubject(order_by_failed_try), {}).why;
  EXPECT_TRUE(unreached.starts_with("clocks saw a race that no replay reached: ")) << unreached;
  EXPECT_NE(unreached.find(" of cell "), std::string::npos) << unreached;
  ExhaustOptions short_budget;
  short_budget.event_budget = 5;
  EXPECT_EQ(prove_by_exhaustion(ToySubject(fine), short_budget).why, "the search did not end within its budget");
  EXPECT_FALSE(prove_by_exhaustion(ToySubject(fine), short_budget).proof);
}

TEST(ToyFewPreemptions, FindsWhatNeedsThreeSwitchesAtTheRightPlaces) {
  // In turn each thread reads what the other has just written, and stops if it is not there yet.
  const ToySubject subject(with_main({"w0=1 R1 E w2=1 R3 E S0=1", "R0 E w1=1 R2 E w3=1 S0=2"}));
  FewPreemptionsOptions options;
  options.most = 2;
  EXPECT_FALSE(find_with_few_preemptions(subject, options).race);
  options.most = 3;
  const FewPreemptionsResult found = find_with_few_preemptions(subject, options);
  ASSERT_TRUE(found.race);
  EXPECT_TRUE(replay(subject, found.race->schedule));
  EXPECT_FALSE(find_with_few_preemptions(ToySubject(with_main({"l0 S0=1 u0", "l0 S0=2 u0"})), options).race);
}

TEST(ToyFewPreemptions, TriesSmallInputs) {
  const ToySubject subject(with_main({"x0 n=2 S0=1", "S0=2"}));
  const FewPreemptionsResult found = find_with_few_preemptions(subject, {});
  ASSERT_TRUE(found.race);
  ASSERT_EQ(found.race->schedule.values.size(), 1U);
  EXPECT_EQ(found.race->schedule.values[0].value, 2U);
  EXPECT_FALSE(find_with_few_preemptions(ToySubject(with_main({"x0 n=9 S0=1", "S0=2"})), {}).race);
}

TEST(ToyFindRace, FindsConfirmsAndStops) {
  FindOptions options;
  options.instruction_budget = 3'000'000;
  const ToySubject racy(with_main({"l0 u0 S0=1", "l0 u0 S0=2"}));
  const FindResult found = find_race(racy, options);
  ASSERT_TRUE(found.race);
  EXPECT_TRUE(replay(racy, found.race->schedule));
  EXPECT_TRUE(found.findings.all().empty());
  const FindResult none = find_race(ToySubject(with_main({"l0 S0=1 u0", "l0 S0=2 u0"})), options);
  EXPECT_FALSE(none.race);
  EXPECT_GT(none.statistics.runs, 10U);
  EXPECT_EQ(none.statistics.most_threads, 3U);
  EXPECT_EQ(find_race(ToySubject({"x0 x0"}), options).statistics.runs, 1U) << "one thread, no input: nothing to try";
}

TEST(ToyFindRace, TellsWhatElseItMet) {
  FindOptions options;
  options.instruction_budget = 3'000'000;
  const auto finding = [&](const std::vector<std::string>& others) {
    const ToySubject subject(with_main(others));
    const FindResult found = find_race(subject, options);
    EXPECT_FALSE(found.race);
    EXPECT_EQ(found.findings.all().size(), 1U);
    if (found.findings.all().empty()) return std::string();
    const Finding& first = found.findings.all().front();
    EXPECT_TRUE(first.schedule);
    if (first.schedule) EXPECT_TRUE(replay_ending(subject, *first.schedule));
    return first.ending.kind;
  };
  EXPECT_EQ(finding({"l0 l1 u1 u0", "l1 l0 u0 u1"}), "deadlock");
  EXPECT_EQ(finding({"w0=1", "e0"}), "failed assertion");
  EXPECT_EQ(finding({"u0", "x0"}), "misused lock");
}

TEST(ToyJudge, TakesTheSearchesInTurn) {
  judge::SearchesOptions options;
  options.find.instruction_budget = 3'000'000;
  EXPECT_TRUE(judge::run_searches(ToySubject(with_main({"S0=1", "S0=2"})), options).race);
  const judge::SearchVerdict proved = judge::run_searches(ToySubject(with_main({"l0 S0=1 u0", "l0 S0=2 u0"})), options);
  EXPECT_TRUE(proved.proof);
  EXPECT_FALSE(proved.race);
  const judge::SearchVerdict open = judge::run_searches(ToySubject(with_main({"x0 n=99 x1"})), options);
  EXPECT_FALSE(open.proof);
  EXPECT_EQ(open.why, input_was_chosen);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::explore
