// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <string_view>

#include "race/race_report.h"

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

}  // namespace heddle::report
