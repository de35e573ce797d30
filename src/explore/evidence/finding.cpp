// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/evidence/finding.h"

#include <algorithm>

#include "explore/evidence/confirm.h"

namespace heddle::explore {
namespace {

constexpr std::size_t enough = 16;

bool is_same(const ReplayedEnding& a, const ReplayedEnding& b) {
  if (a.kind != b.kind) return false;
  if (a.stack.empty() || b.stack.empty()) return a.what == b.what;  // a deadlock has no place of its own
  return a.stack[0].file == b.stack[0].file && a.stack[0].line == b.stack[0].line &&
         a.stack[0].column == b.stack[0].column;
}

}  // namespace

void Findings::add(const Subject& subject, Run& run) {
  const Words& words = run.executor().words();
  for (const Ending& ending : words.avoided()) add_one(subject, run, ending, ending.thread);
  for (const Ending& misuse : words.misuses()) add_one(subject, run, misuse, misuse.thread);
  add_one(subject, run, words.ending(), no_thread);
}

void Findings::add_one(const Subject& subject, Run& run, const Ending& met, ThreadIndex thread) {
  const std::optional<ReplayedEnding> ending = failure_of(met);
  if (!ending) return;
  const auto known = [&](const Finding& finding) { return is_same(finding.ending, *ending); };
  if (found_.size() >= enough || std::ranges::any_of(found_, known)) return;
  Finding finding{*ending, schedule_to(subject, run, thread)};
  // Another order of the same steps may meet something else first.
  if (finding.schedule) {
    const Result<ReplayedEnding> again = replay_ending(subject, *finding.schedule);
    if (!again || !is_same(*again, *ending)) finding.schedule.reset();
  }
  found_.push_back(std::move(finding));
}

void Findings::add(Findings other) {
  for (Finding& finding : other.found_) {
    const auto known = [&](const Finding& mine) { return is_same(mine.ending, finding.ending); };
    if (found_.size() < enough && std::ranges::none_of(found_, known)) found_.push_back(std::move(finding));
  }
}

}  // namespace heddle::explore
