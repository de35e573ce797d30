// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CaseFile: a warning with everything that was said of it. Opinions are appended and never overwritten; what the report
// calls it follows from them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "race/opinion.h"
#include "race/warning.h"
#include "report/race_report.h"

namespace heddle::race {

/// Something that moved the warning in the list: "+933  14 of 15 accesses hold the usual lock".
struct RankReason {
  std::int64_t points = 0;  ///< above zero: more suspicious
  std::string what;
};

struct GivenOpinion {
  std::string judge;
  Opinion opinion;
};

/// The words of a run for a race that it met itself: no Evidence knows these two accesses.
struct Sighting {
  std::string variable;
  std::vector<ReportAccess> accesses;  ///< two
};

struct CaseFile {
  Warning warning;
  std::vector<GivenOpinion> opinions = {};
  std::vector<RankReason> ranking = {};        ///< what gave it its place
  std::vector<std::uint32_t> covered_by = {};  ///< numbers of warnings: whoever makes it real makes these real
  std::optional<Sighting> seen = {};           ///< it was met by a run, and no driver had warned of it

  void add(std::string judge, Opinion opinion) { opinions.push_back({std::move(judge), std::move(opinion)}); }

  /// The first opinion of that kind; null: nobody gave one.
  template <class T>
  [[nodiscard]] const T* find() const {
    const GivenOpinion* given = find_given<T>();
    return given == nullptr ? nullptr : std::get_if<T>(&given->opinion);
  }
  /// The same with its judge.
  template <class T>
  [[nodiscard]] const GivenOpinion* find_given() const {
    for (const GivenOpinion& given : opinions)
      if (std::holds_alternative<T>(given.opinion)) return &given;
    return nullptr;
  }

  /// Confirmed before Refuted (a bug of ours if both occur: what was seen counts), then Witnessed, Unlikely, Likely.
  [[nodiscard]] RaceVerdict verdict() const;
  [[nodiscard]] bool is_open() const;  ///< neither confirmed nor refuted
};

}  // namespace heddle::race
