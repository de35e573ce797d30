// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <algorithm>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>

#include "report/race_report.h"

namespace heddle::report {

/// The words of report.json, which other formats use as well.
inline std::string_view word(Verdict verdict) {
  switch (verdict) {
    case Verdict::RaceFree: return "race-free";
    case Verdict::Race: return "race";
    case Verdict::Unknown: return "unknown";
  }
  return "unknown";
}

inline std::string_view word(RaceVerdict verdict) {
  switch (verdict) {
    case RaceVerdict::Confirmed: return "confirmed";
    case RaceVerdict::Witnessed: return "witnessed";
    case RaceVerdict::Likely: return "likely";
    case RaceVerdict::Unlikely: return "unlikely";
    case RaceVerdict::Refuted: return "refuted";
  }
  return "likely";
}

/// What the verdict of a race rests on.
inline std::string_view evidence(RaceVerdict verdict) {
  switch (verdict) {
    case RaceVerdict::Confirmed: return "confirmed: a run showed it";
    case RaceVerdict::Witnessed: return "witnessed: a schedule leads to it";
    case RaceVerdict::Likely: return "likely: nothing was found that keeps the two accesses apart";
    case RaceVerdict::Unlikely: return "unlikely";
    case RaceVerdict::Refuted: return "refuted: it cannot happen";
  }
  return "likely";
}

/// `1 thread`, `2 threads`.
inline std::string counted(std::uint64_t count, std::string_view noun) {
  return std::to_string(count) + ' ' + std::string(noun) + (count == 1 ? "" : "s");
}

/// What a proof by running has looked at.
inline std::string exhausted_words(const RaceReport& report) {
  const std::string none = ", no race in any";
  if (report.visited_states != 0) return "every state was looked at: " + counted(report.visited_states, "state") + none;
  if (report.exhausted_traces == 0) return "";
  const bool was_pruned = std::ranges::find(report.assumptions, "defined-elsewhere") != report.assumptions.end();
  const std::string who = "every execution was looked at";
  return who + (was_pruned ? ", or cannot have a race: " : ": ") + counted(report.exhausted_traces, "trace") + none;
}

/// Clang's convention leaves out what is not known: `file`, `file:line` or `file:line:column`.
template <class Place>
void write_place(std::ostream& out, const Place& place) {
  out << (place.file.empty() ? "<unknown>" : place.file);
  if (place.line == 0) return;
  out << ':' << place.line;
  if (place.column != 0) out << ':' << place.column;
}

/// Stacks begin with the access itself, which is said already.
inline bool is_the_access(const ReportFrame& frame, const ReportAccess& access) {
  return frame.file == access.file && frame.line == access.line && frame.function == access.function;
}

}  // namespace heddle::report
