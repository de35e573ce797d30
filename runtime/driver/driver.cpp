// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver: what the run-time library of an instrumented program loads and hands the program to. It does one task,
// which the environment names, and writes what it found to the descriptor it was given (driver_result.h).
//
//   HEDDLE_TASK=explore       all executions that matter, up to the first race
//   HEDDLE_TASK=enumerate     one search to its end: how many executions, which traces
//   HEDDLE_TASK=count         the same without looking at what it visits: for measuring
//   HEDDLE_TASK=replay        the schedule in HEDDLE_SCHEDULE
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "base/read_file.h"
#include "explore/evidence/enumerate.h"
#include "explore/evidence/exhaust.h"
#include "explore/evidence/find_race.h"
#include "explore/evidence/shrink.h"
#include "runtime/driver/driver_memory.h"
#include "explore/native/driver_result.h"
#include "explore/native/native_executor.h"
#include "explore/native/native_subject.h"

namespace heddle::explore {
namespace {

class Driver {
 public:
  explicit Driver(heddle_machine& machine) : raw_(machine), machine_(machine) {}

  int run() {
    const std::string task = setting("HEDDLE_TASK", "explore");
    if (const std::string file = setting("HEDDLE_ACCESSES", ""); !file.empty()) {
      const Result<std::string> text = read_file(file);
      if (!text) return fail(file + ": " + text.error().message);
      Result<AccessTable> table = AccessTable::from_text(*text, file);
      if (!table) return fail(table.error().message);
      table_ = std::move(*table);
    }
    tell_modules();
    const NativeSubject subject(machine_, table_, setting("HEDDLE_IDENTITY", "none"));
    if (task == "explore") return explore_all(subject);
    if (task == "enumerate") return enumerate_all(subject);
    if (task == "count") return count(subject);
    if (task == "replay") return replay_schedule(subject);
    return fail("unknown task " + task);
  }

  int fail(const std::string& why) {
    result_.add("error", why);
    write();
    return 3;
  }

 private:
  [[nodiscard]] std::string setting(const char* name, const char* otherwise) const {
    const char* const text = raw_.setting(name);
    return text == nullptr ? otherwise : text;
  }
  [[nodiscard]] std::uint64_t number(const char* name, std::uint64_t otherwise) const {
    const char* const text = raw_.setting(name);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
  }

  void write() {
    result_.add("done", "");
    const std::string& text = result_.text();
    raw_.write_result(text.data(), text.size());
  }

  /// Where the program and its libraries lie, for whoever looks up names.
  void tell_modules() {
    const auto tell = [](dl_phdr_info* info, std::size_t, void* result) {
      const std::string name = info->dlpi_name[0] == 0 ? "/proc/self/exe" : info->dlpi_name;
      std::uint64_t end = 0;
      for (int i = 0; i < info->dlpi_phnum; ++i)
        if (info->dlpi_phdr[i].p_type == PT_LOAD)
          end = std::max<std::uint64_t>(end, info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz);
      static_cast<DriverResult*>(result)->add(
          "module", std::to_string(info->dlpi_addr) + " " + std::to_string(info->dlpi_addr + end) + " " + name);
      return 0;
    };
    dl_iterate_phdr(tell, &result_);
  }

  int explore_all(const Subject& subject) {
    const Stop stop(static_cast<std::uint32_t>(number("HEDDLE_SECONDS", 0)));
    FindOptions find;
    find.stop = stop;
    find.instruction_budget = number("HEDDLE_FIND", 2'000'000);
    const FindResult found = find_race(subject, find);
    result_.add("runs", std::to_string(found.statistics.runs));
    if (found.race) return tell_race(shrink(subject, *found.race, {.stop = stop}));
    ExhaustOptions options;
    options.stop = stop;
    options.event_budget = number("HEDDLE_EVENTS", 100'000'000);
    options.instruction_budget = options.work = UINT64_MAX;
    ExhaustResult all = prove_by_exhaustion(subject, options);
    // What the first search learnt of the program, the second one knows from its beginning.
    if (!all.race && (all.why.contains(tries_unknown) || all.why.contains(orders_unknown)))
      all = prove_by_exhaustion(subject, options);
    result_.add("executions", std::to_string(all.statistics.executions));
    result_.add("events", std::to_string(all.statistics.events));
    if (all.race) return tell_race(shrink(subject, *all.race, {.stop = stop}));
    result_.add("verdict", all.proof ? "race-free" : "unknown");
    if (!all.proof) result_.add("why", all.why);
    write();
    return 0;
  }

  int tell_race(const ConfirmedRace& race) {
    result_.add("verdict", "race");
    result_.add({portable(race), race.race});
    write();
    return 1;
  }

  [[nodiscard]] SearchKind search_kind() const {
    const std::string name = setting("HEDDLE_SEARCH", "optimal");
    if (name == "classic") return SearchKind::Classic;
    if (name == "source") return SearchKind::Source;
    return name == "exhaustive" ? SearchKind::Exhaustive : SearchKind::Optimal;
  }

  int enumerate_all(const Subject& subject) {
    EnumerateOptions options;
    options.kind = search_kind();
    options.weakest = number("HEDDLE_WEAKEST", 0) != 0;
    options.at_accesses = number("HEDDLE_AT_ACCESSES", 0) != 0;
    options.event_budget = number("HEDDLE_EVENTS", options.event_budget);
    const Enumeration seen = enumerate(subject, options);
    result_.add("complete", seen.statistics.complete ? "yes" : "no");
    result_.add("executions", std::to_string(seen.statistics.executions));
    result_.add("events", std::to_string(seen.statistics.events));
    result_.add("traces", std::to_string(seen.traces));
    result_.add("digest", seen.digest.hex());
    result_.add("deadlocks", std::to_string(seen.deadlocks));
    result_.add("adjacent", std::to_string(seen.adjacent));
    if (seen.race)
      for (const AccessKey access : *seen.race) result_.add("racing", subject.where(access));
    for (const std::string& gap : seen.gaps) result_.add("gap", gap);
    write();
    return 0;
  }

  int count(const Subject& subject) {
    ExecutionLimits limits;
    limits.weakest = number("HEDDLE_WEAKEST", 1) != 0;
    limits.at_accesses = number("HEDDLE_AT_ACCESSES", 0) != 0;
    limits.events = number("HEDDLE_LONGEST", 100'000);
    SearchLimits search_limits;
    search_limits.executions = number("HEDDLE_EXECUTIONS", UINT64_MAX);
    const std::unique_ptr<Executor> executor = subject.for_search(limits);
    const SearchStatistics statistics = search(*executor, search_kind(), search_limits, {});
    result_.add("executions", std::to_string(statistics.executions));
    result_.add("events", std::to_string(statistics.events));
    result_.add("complete", statistics.complete ? "yes" : "no");
    for (const std::string& gap : executor->gaps()) result_.add("gap", gap);
    write();
    return 0;
  }

  int replay_schedule(const Subject& subject) {
    const Result<race::Schedule> schedule = race::read_schedule(setting("HEDDLE_SCHEDULE", ""));
    if (!schedule) return fail(schedule.error().message);
    const Result<ReplayedRace> race = replay(subject, *schedule);
    if (!race) return fail(race.error().message);
    return tell_race({*schedule, *race});
  }

  heddle_machine& raw_;
  Machine machine_;
  AccessTable table_;
  DriverResult result_;
};

}  // namespace
}  // namespace heddle::explore

extern "C" [[gnu::visibility("default")]] int heddle_drive1(heddle_machine* machine) {
  using namespace heddle::explore;
  set_up_driver_memory(machine->reserve);
  Driver driver(*machine);
  try {
    return driver.run();
  } catch (const std::exception& problem) {
    return driver.fail(problem.what());
  }
}
