// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver: what the run-time library of an instrumented program loads and hands the program to. It does one task,
// which the environment names, and writes what it found to the descriptor it was given (driver_result.h).
//
//   HEDDLE_TASK=enumerate     one search to its end: how many executions, which traces
//   HEDDLE_TASK=count         the same without looking at what it visits: for measuring
//   HEDDLE_TASK=replay        the schedule in HEDDLE_SCHEDULE
//   HEDDLE_TASK=work          one job after the other, as they come (src/explore/work/)
//   HEDDLE_TASK=hunt          the suspected races in HEDDLE_PAIRS (hunt_task.h)
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "base/read_file.h"
#include "explore/evidence/all_races.h"
#include "explore/evidence/enumerate.h"
#include "explore/evidence/exhaust.h"
#include "explore/evidence/find_race.h"
#include "explore/evidence/shrink.h"
#include "explore/native/driver_result.h"
#include "explore/native/native_executor.h"
#include "explore/native/native_subject.h"
#include "runtime/driver/driver_memory.h"
#include "runtime/driver/hunt_task.h"
#include "explore/work/work.h"

namespace heddle::explore {
namespace {

class Driver {
 public:
  explicit Driver(heddle_machine& machine) : raw_(machine), machine_(machine) {}

  int run() {
    const std::string task = setting("HEDDLE_TASK", "enumerate");
    if (const std::string file = setting("HEDDLE_ACCESSES", ""); !file.empty()) {
      const Result<std::string> text = read_file(file);
      if (!text) return fail(file + ": " + text.error().message);
      Result<AccessTable> table = AccessTable::from_text(*text, file);
      if (!table) return fail(table.error().message);
      table_ = std::move(*table);
    }
    if (const std::string file = setting("HEDDLE_SIDES", ""); !file.empty()) {
      const Result<std::string> text = read_file(file);
      if (!text) return fail(file + ": " + text.error().message);
      Result<SideTable> sides = SideTable::from_text(*text, file);
      if (!sides) return fail(sides.error().message);
      if (number("HEDDLE_AT_ACCESSES", 0) != 0)
        for (Side& side : sides->sides)
          for (SideAccess& access : side.accesses) access.is_visible = true;
      code_.emplace(std::move(*sides));
    }
    tell_modules();
    NativeSubject subject(machine_, table_, code_ ? &*code_ : nullptr, setting("HEDDLE_IDENTITY", "none"));
    if (task == "enumerate") return enumerate_all(subject);
    if (task == "count") return count(subject);
    if (task == "replay") return replay_schedule(subject);
    if (task == "work") return work(subject);
    if (task == "hunt") return hunt_suspected(subject);
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

  void tell_counts(const SharedCounts& counts) {
    result_.add("threads", std::to_string(counts.threads));
    result_.add("variables", std::to_string(counts.variables));
    result_.add("accesses", std::to_string(counts.accesses));
    result_.add("locks", std::to_string(counts.locks));
  }

  void tell_pruning(const PruneStatistics& pruning) {
    result_.add("checks", std::to_string(pruning.checks));
    result_.add("yes", std::to_string(pruning.yes));
    result_.add("skipped", std::to_string(pruning.skipped));
    result_.add("looks", std::to_string(pruning.looks));
  }

  /// With a schedule that another process can follow.
  void add_race(const ConfirmedRace& race) { result_.add({portable(race), race.race}); }

  int tell_race(const ConfirmedRace& race) {
    result_.add("verdict", "race");
    add_race(race);
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
    options.until_race = number("HEDDLE_UNTIL_RACE", 0) != 0;
    options.event_budget = number("HEDDLE_EVENTS", options.event_budget);
    if (const std::string name = setting("HEDDLE_SEARCH", ""); name == "pruned" || name == "unpruned")
      options.prune = name == "pruned";
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
    tell_pruning(seen.pruning);
    tell_counts(seen.counts);
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
    Course course(*executor);
    const SearchStatistics statistics = search(course, search_kind(), search_limits, {});
    for (std::uint64_t left = number("HEDDLE_REPEATS", 0); left > 0; --left) repeat(course);
    result_.add("executions", std::to_string(statistics.executions));
    result_.add("events", std::to_string(statistics.events));
    result_.add("complete", statistics.complete ? "yes" : "no");
    for (const std::string& gap : executor->gaps()) result_.add("gap", gap);
    write();
    return 0;
  }

  /// The same steps once more.
  static void repeat(Course& course) {
    if (course.path().empty()) return;
    const ThreadIndex last = course.path().back();
    course.rewind(course.path().size() - 1);
    course.step(last, 0);
  }

  int replay_schedule(const Subject& subject) {
    const Result<race::Schedule> schedule = race::read_schedule(setting("HEDDLE_SCHEDULE", ""));
    if (!schedule) return fail(schedule.error().message);
    const Result<ReplayedRace> race = replay(subject, *schedule);
    if (!race) return fail(race.error().message);
    return tell_race({*schedule, *race});
  }

  // --- jobs

  int work(Subject& subject) {
    const std::string modules = result_.text();
    for (std::string bytes; read_message(bytes);) {
      const Result<WorkJob> job = job_from(bytes);
      if (!job) return fail(job.error().message);
      result_ = {};
      WorkAnswer answer = do_job(subject, *job);
      result_.add("done", "");
      answer.text = modules + result_.text();
      answer.learnt = {machine_.saw_try(), machine_.saw_weak(), raw_.acts_outside != 0};
      write_message(to_bytes(answer));
    }
    return 0;
  }

  WorkAnswer do_job(Subject& subject, const WorkJob& job) {
    const Stop stop(static_cast<std::uint32_t>(job.seconds));
    WorkAnswer answer;
    if (job.kind == WorkJob::Kind::Find) {
      FindOptions find;
      find.stop = stop;
      find.instruction_budget = job.instructions;
      find.length = 1'000;  // a program that computes for seconds is an ordinary one
      find.fewest_runs = 4;
      const FindResult found = find_race(subject, find);
      result_.add("runs", std::to_string(found.statistics.runs));
      if (found.race) add_short(subject, {&*found.race, 1}, stop);
      return answer;
    }
    if (job.learnt.tries) machine_.note_try();
    if (job.learnt.weak) machine_.note_weak();
    ExhaustOptions options;
    options.stop = stop;
    options.event_budget = job.events;
    options.instruction_budget = options.work = UINT64_MAX;
    options.prune = job.prune && code_.has_value();
    options.longest = number("HEDDLE_LONGEST", options.longest);
    if (job.finds_all) {
      AllRaces all = find_all_races(subject, options, job.share, job.executions, job.known);
      add_short(subject, all.races, stop);
      answer.sights = std::move(all.sights);
      answer.report = std::move(all.report);
      return answer;
    }
    ExhaustPart part = exhaust_share(subject, options, job.share, job.executions);
    if (part.race) add_short(subject, {&*part.race, 1}, stop);
    answer.sights = std::move(part.sights);
    answer.report = std::move(part.report);
    return answer;
  }

  /// With schedules that were shrunk, as far as that goes in a few seconds: each try is a run of the program.
  void add_short(const Subject& subject, std::span<const ConfirmedRace> races, const Stop& stop) {
    constexpr std::uint32_t seconds = 5;
    const Stop soon = stop.within(seconds, "");
    for (const ConfirmedRace& race : races) add_race(shrink(subject, race, {.stop = soon}));
  }

  bool read_message(std::string& bytes) {
    unsigned char length[length_bytes];
    if (raw_.read_job(length, sizeof length) == 0) return false;
    std::uint64_t size = 0;
    for (std::size_t i = length_bytes; i-- > 0;) size = size << 8 | length[i];
    if (size > longest_message) return false;
    bytes.resize(size);
    return raw_.read_job(bytes.data(), size) != 0;
  }

  void write_message(const std::string& bytes) {
    unsigned char length[length_bytes];
    for (std::size_t i = 0; i < length_bytes; ++i) length[i] = static_cast<unsigned char>(bytes.size() >> 8 * i);
    raw_.write_result(length, sizeof length);
    raw_.write_result(bytes.data(), bytes.size());
  }

  int hunt_suspected(Subject& subject) {
    const auto ask = [&](const char* name, std::uint64_t otherwise) { return number(name, otherwise); };
    const auto send = [&] {
      raw_.write_result(result_.text().data(), result_.text().size());
      result_ = DriverResult();
    };
    if (const Result<void> done = hunt_task(subject, setting("HEDDLE_PAIRS", ""), ask, result_, send); !done)
      return fail(done.error().message);
    write();
    return 0;
  }

  heddle_machine& raw_;
  Machine machine_;
  AccessTable table_;
  std::optional<NativeCode> code_;
  DriverResult result_;
};

}  // namespace
}  // namespace heddle::explore

extern "C" [[gnu::visibility("default")]] int heddle_drive2(heddle_machine* machine) {
  using namespace heddle::explore;
  set_up_driver_memory(machine->reserve);
  Driver driver(*machine);
  try {
    return driver.run();
  } catch (const std::exception& problem) {
    return driver.fail(problem.what());
  }
}
