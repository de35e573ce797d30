// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the user does not want to hear about: suppression files in the syntax of ThreadSanitizer, comments in the
// source, and what an earlier report had. Nothing is removed from a report: a race only says why it does not count.
//
//   race:zlib_*          in a file: '*' stands for anything; '^' and '$' for the ends; matches functions and files of
//                        both stacks, and the variable
//   race:^id:1f2e77a0c3d4$   the one race with this id, as `heddle explain` writes it; means nothing to others
//   x++;  // heddle: ignore, only statistics        in the source, on the line of an access, or of the user's code that
//                        leads to it inside of a library; the reason is not optional
#pragma once
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "report/race_report.h"
#include "report/source_lines.h"

namespace heddle::report {

class Suppressions {
 public:
  /// Adds the lines of a file; `race:` and `race_top:` count, other kinds of ThreadSanitizer's are left alone.
  Result<void> add_text(std::string_view text, const std::string& file);

  /// Marks the races that one of them, or a comment in the source, suppresses.
  void apply(RaceReport& report);

  /// `file:line: race:pattern` of those that suppressed nothing.
  [[nodiscard]] std::vector<std::string> unused() const;

  /// `file:line` of comments that suppress nothing because they give no reason.
  [[nodiscard]] const std::set<std::string>& without_reason() const { return without_reason_; }

 private:
  struct Rule {
    std::string pattern;
    std::string place;
    bool top_only = false;
    std::uint64_t used = 0;
  };
  void apply_comment(ReportRace& race, const ReportFrame& at, SourceLines& sources);

  std::vector<Rule> rules_;
  std::set<std::string> without_reason_;
};

bool matches_pattern(std::string_view pattern, std::string_view text);

/// Marks each race as new or unchanged against an earlier report.json, and gives back the ids that are gone.
Result<std::vector<std::string>> compare_with_baseline(RaceReport& report, const std::string& file);

}  // namespace heddle::report
