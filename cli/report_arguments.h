// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `verify`, `scan` and `check` share: how the report is written and where, what the user does not want to hear of,
// which races make the exit code 1, how many threads work, which profiles are read.
#pragma once
#include <CLI/CLI.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/input_arguments.h"
#include "cli/report_output.h"
#include "report/filter.h"
#include "report/policy.h"
#include "report/race_report.h"

namespace heddle::cli {

class ReportArguments {
 public:
  /// `fail_on`: the default of --fail-on.
  explicit ReportArguments(std::string fail_on) : fail_on_(std::move(fail_on)) {}

  void declare(CLI::App& subcommand);

  /// The input with its profiles. The destination is asked for before the analysis, so that nobody waits for a report
  /// that has nowhere to go.
  [[nodiscard]] Result<pipeline::Input> input(const InputArguments& input,
                                              const std::vector<std::string>& clang_flags) const;
  [[nodiscard]] unsigned jobs() const;

  /// Suppressions and baseline mark races; what they found goes to standard error. Keeps the report of a project for
  /// `heddle explain`.
  [[nodiscard]] Result<void> finish(RaceReport& report) const;
  [[nodiscard]] bool fails(const RaceReport& report) const;
  [[nodiscard]] bool is_text() const { return style_.format == "text"; }
  [[nodiscard]] bool is_sarif() const { return style_.format == "sarif"; }
  [[nodiscard]] std::uint32_t limit() const { return style_.limit; }

  /// Leaves what --file, --variable, --thread and --only ask for.
  void filter(RaceReport& report) const;
  /// `showing 3 of 214 races`, if a filter left some out.
  void tell_of_filters(const RaceReport& report) const;

  /// To standard output, or to the file that was named.
  [[nodiscard]] Result<void> write(const RaceReport& report) const;
  [[nodiscard]] Result<void> write(const std::string& text) const;
  /// As wide as the report.
  void write_last_line(const std::string& text) const;
  /// Where the last line for people goes: not behind a report in a format that programs read.
  [[nodiscard]] std::ostream& last_words() const;

 private:
  void declare_filters(CLI::App& subcommand);

  ReportStyle style_;
  report::Filter filter_;
  std::string only_;
  std::string output_;
  unsigned jobs_ = 0;
  std::vector<std::string> profiles_;
  std::vector<std::string> suppression_files_;
  std::string baseline_;
  std::string fail_on_;
};

}  // namespace heddle::cli
