// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/evidence/stations.h"

#include "explore/evidence/replay.h"

namespace heddle::explore {
namespace {

ReportFrame where_of(Executor& executor, ThreadIndex thread) {
  const std::vector<ReportFrame> stack = executor.words().stack(thread);
  return stack.empty() ? ReportFrame{} : stack.front();
}

Station station_of(ThreadIndex thread, const ReportAccess& access) {
  return {thread, access.stack.empty() ? ReportFrame{} : access.stack.front(), {}, 0};
}

/// Recorded answers, and where they were asked for.
class WatchedInputs final : public Inputs {
 public:
  explicit WatchedInputs(const race::Schedule& schedule) {
    for (const race::Schedule::Value& value : schedule.values) recorded_.add(value.thread, value.value);
  }

  void watch(Executor& executor) { executor_ = &executor; }

  std::uint64_t choose(const Question& question) override {
    const std::uint64_t value = recorded_.choose(question);
    given_.push_back({question.thread, value});
    Station asked{question.thread, {}, value, question.bits};
    if (question.is_input && executor_ != nullptr) asked.where = where_of(*executor_, question.thread);
    asked_.push_back(std::move(asked));
    return value;
  }

  void take_back(std::size_t count) override {
    recorded_.take_back(count);
    given_.resize(count);
    asked_.erase(asked_.begin() + static_cast<std::ptrdiff_t>(count), asked_.end());
  }

  [[nodiscard]] const std::vector<Station>& asked() const { return asked_; }

 private:
  RecordedInputs recorded_;
  Executor* executor_ = nullptr;
  std::vector<Station> asked_;
};

}  // namespace

Result<Stations> stations_of(const Subject& subject, const race::Schedule& schedule) {
  const Result<ReplayedRace> race = replay(subject, schedule);
  if (!race) return std::unexpected(race.error());
  Stations out;
  WatchedInputs inputs(schedule);
  const std::unique_ptr<Executor> executor = subject.for_replay({.threads = schedule.max_threads}, inputs);
  inputs.watch(*executor);
  std::size_t told = 0;
  for (std::size_t number = 0; number < schedule.slices.size(); ++number) {
    const race::Schedule::Slice& slice = schedule.slices[number];
    for (std::uint64_t i = 0; i < slice.steps; ++i) {
      const ReportFrame place =
          slice.thread < executor->thread_count() ? where_of(*executor, slice.thread) : ReportFrame{};
      executor->step(slice.thread, 0);
      const bool is_last = i + 1 == slice.steps && number + 1 < schedule.slices.size();
      if (is_last && place.line != 0) out.on_the_way.push_back({slice.thread, place, {}, 0});
      for (; told < inputs.asked().size(); ++told)
        if (inputs.asked()[told].where.line != 0) out.on_the_way.push_back(inputs.asked()[told]);
    }
  }
  out.first = station_of(schedule.first_thread, race->first);
  out.second = station_of(schedule.second_thread, race->second);
  return out;
}

}  // namespace heddle::explore
