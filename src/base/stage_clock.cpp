// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/stage_clock.h"

#include <sys/resource.h>

#include <algorithm>
#include <ctime>

namespace heddle::scan {
namespace {

double seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  constexpr double nano = 1e-9;
  return static_cast<double>(now.tv_sec) + nano * static_cast<double>(now.tv_nsec);
}

std::uint64_t peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace

StageClock::StageClock(std::vector<StageCost>& stages)
    : stages_(stages), processor_(seconds(CLOCK_PROCESS_CPUTIME_ID)), elapsed_(seconds(CLOCK_MONOTONIC)) {}

void StageClock::finish(const std::string& stage) {
  const double processor = seconds(CLOCK_PROCESS_CPUTIME_ID), elapsed = seconds(CLOCK_MONOTONIC);
  auto at = std::ranges::find(stages_, stage, &StageCost::stage);
  if (at == stages_.end()) at = stages_.insert(at, {stage, 0, 0, 0});
  at->processor_seconds += processor - processor_;
  at->elapsed_seconds += elapsed - elapsed_;
  at->peak_bytes = peak_bytes();
  processor_ = processor;
  elapsed_ = elapsed;
}

}  // namespace heddle::scan
