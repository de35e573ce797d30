// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/native/hunt.h"

#include <algorithm>

#include "base/contains.h"
#include "base/machine/failure_words.h"
#include "base/write_file.h"
#include "explore/launch/launch.h"
#include "pipeline/native/native_names.h"

namespace heddle::pipeline {
namespace {

constexpr std::uint32_t most_threads = 64;

constexpr unsigned most_workers = 8;

std::string text_of(const std::vector<judge::IdPair>& pairs) {
  std::string text;
  for (const auto& [first, second] : pairs) text += first.hex() + " " + second.hex() + "\n";
  return text;
}

/// Names in the place of addresses.
void name(explore::AnsweredRace& race, NativeNames& names) {
  for (ReportAccess& access : race.accesses) names.name(access);
  race.variable = names.variable(race.variable);
  const bool has_name = !race.variable.starts_with("memory at");
  if (!has_name && !race.accesses.front().path.empty()) race.variable = race.accesses.front().path;
}

/// One worker after the other, until one comes to its end.
class Workers {
 public:
  Workers(explore::LaunchJob job, const std::vector<judge::IdPair>& pairs, std::string file, const Stop& stop)
      : job_(std::move(job)), pairs_(pairs), open_(pairs), file_(std::move(file)), stop_(stop) {}

  judge::HuntReport run() {
    for (unsigned i = 0; i < most_workers; ++i) {
      const std::uint32_t seconds = stop_.seconds_left(UINT32_MAX);
      // The driver ends by itself shortly before, and says what it knows.
      job_.settings["SECONDS"] = std::to_string(std::max(1U, seconds - seconds / 10));
      if (const auto written = write_file(file_, text_of(open_)); !written) {
        report_.obstacles.push_back(file_ + ": " + written.error().message);
        break;
      }
      Result<explore::WorkerEnd> end = explore::launch_worker(job_, stop_);
      if (!end) {
        report_.obstacles.push_back(end.error().message);
        break;
      }
      take(end->answer);
      if (end->why.empty() || !can_go_on(*end)) break;
    }
    return std::move(report_);
  }

 private:
  void take(explore::DriverAnswer& answer) {
    NativeNames names(answer.modules, job_.program);
    for (explore::AnsweredRace& race : answer.races) {
      name(race, names);
      race.schedule.is_native = true;
      race.schedule.arguments = job_.arguments;
      race.schedule.max_threads = most_threads;
      if (job_.input != explore::LaunchJob{}.input) race.schedule.input = job_.input;
      report_.races.push_back(std::move(race));
    }
    for (const auto& [fact, value] : answer.facts)
      if (fact == "obstacle") add_obstacle(value);
    if (answer.reached.size() != open_.size()) return;
    report_.reached.clear();
    for (const judge::IdPair& pair : pairs_) {
      const auto at = std::ranges::find(open_, pair);
      report_.reached.push_back(at == open_.end() ? 2U : answer.reached[static_cast<std::size_t>(at - open_.begin())]);
    }
  }

  /// The worker did not come to its end: what it did last is left out from now on.
  bool can_go_on(const explore::WorkerEnd& end) {
    const explore::BegunWork& begun = end.answer.begun;
    add_obstacle(end.was_stopped ? "the runs were ended: " + end.why
                                 : "the program took a process of heddle's with it: " + end.why);
    if (end.was_stopped || begun.stage.empty() || begun.stage == "search") return false;
    // A program that does this in every run may still be stopped in front of its accesses.
    if (begun.stage == "run" && job_.settings.contains("FIRST_RUN")) job_.settings["RUNS"] = "0";
    if (begun.stage == "run") job_.settings["FIRST_RUN"] = std::to_string(begun.number + 1);
    if (begun.stage == "approach" && begun.number < open_.size())
      open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(begun.number));
    std::erase_if(open_, [&](const judge::IdPair& pair) {
      return std::ranges::any_of(report_.races, [&](const explore::AnsweredRace& race) {
        return std::minmax(race.first_access, race.second_access) == std::minmax(pair.first.value, pair.second.value);
      });
    });
    return true;
  }

  void add_obstacle(std::string what) {
    if (!contains(report_.obstacles, what)) report_.obstacles.push_back(std::move(what));
  }

  explore::LaunchJob job_;
  const std::vector<judge::IdPair>& pairs_;
  std::vector<judge::IdPair> open_;
  std::string file_;
  const Stop& stop_;
  judge::HuntReport report_;
};

}  // namespace

Result<std::unique_ptr<NativeHunt>> NativeHunt::prepare(HuntOptions options, const Build& build) {
  Result<std::string> driver = explore::driver_file();
  if (!driver) return std::unexpected(driver.error());
  std::unique_ptr<NativeHunt> hunt(new NativeHunt(std::move(options), std::move(*driver)));
  if (hunt->folder_.path().empty()) return error("no folder for the program with hooks: " + failure_words(errno));
  Result<project::NativeProgram> program = build(hunt->folder_.path());
  if (!program) return std::unexpected(program.error());
  hunt->program_ = std::move(*program);
  return hunt;
}

judge::HuntReport NativeHunt::look_for(const std::vector<judge::IdPair>& pairs, const Stop& stop) const {
  explore::LaunchJob job;
  job.program = program_.program;
  job.called = options_.called;
  job.accesses = program_.table;
  job.driver = driver_;
  job.arguments = options_.arguments;
  job.task = "hunt";
  job.input = options_.standard_input;
  job.stage = "running the program";
  job.milliseconds = std::uint64_t{1000} * options_.seconds;
  job.silence = std::max(10U, options_.seconds / 3);
  job.settings["THREADS"] = std::to_string(most_threads + 1);  // and one for the driver
  job.settings["PATIENCE"] = "3";                              // seconds for which a thread may wait in the system
  job.settings["IDENTITY"] = project::identity_of(program_.program);
  job.settings["PAIRS"] = folder_.path() + "/pairs";
  const Stop limited = stop.within(options_.seconds, "--run-seconds");
  return Workers(std::move(job), pairs, folder_.path() + "/pairs", limited).run();
}

}  // namespace heddle::pipeline
