// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the user does not want to hear about: suppression files in the syntax of ThreadSanitizer, comments in the
// source, and what an earlier report had. Nothing is removed from a report: a race only says why it does not count.
//
//   race:zlib_*          in a file: '*' stands for anything; '^' and '$' for the ends; matches functions and files of
//                        both stacks, and the variable
//   x++;  // heddle: ignore, only statistics        in the source, on the line of an access; the reason is not optional
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "report/race_report.h"

namespace heddle::report {

class Suppressions {
 public:
  /// Adds the lines of a file; `race:` and `race_top:` count, other kinds of ThreadSanitizer's are left alone.
  Result<void> add_text(std::string_view text, const std::string& file);

  /// Marks the races that one of them, or a comment in the source, suppresses.
  void apply(RaceReport& report);

  /// `file:line: race:pattern` of those that suppressed nothing.
  [[nodiscard]] std::vector<std::string> unused() const;

 private:
  struct Rule {
    std::string pattern;
    std::string place;
    bool top_only = false;
    std::uint64_t used = 0;
  };
  std::vector<Rule> rules_;
};

bool matches_pattern(std::string_view pattern, std::string_view text);

/// Marks each race as new or unchanged against an earlier report.json, and gives back the ids that are gone.
Result<std::vector<std::string>> compare_with_baseline(RaceReport& report, const std::string& file);

}  // namespace heddle::report
