// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <optional>

#include "cli/command.h"
#include "cli/input_arguments.h"
#include "cli/limit_arguments.h"
#include "cli/report_arguments.h"
#include "pipeline/verify.h"

namespace heddle::cli {

/// `heddle verify FILE…`: one whole program in, a report out, and as the last line of standard output the verdict.
class VerifyCommand : public Command {
 public:
  explicit VerifyCommand(CLI::App& app);
  ExitCode run(const std::vector<std::string>& clang_flags) override;

 private:
  [[nodiscard]] ExitCode exit_code_of(const RaceReport& report) const;
  [[nodiscard]] static Result<RaceReport> verify(const pipeline::Input& input, const pipeline::VerifyOptions& options);
  [[nodiscard]] ExitCode no_memory() const;

  InputArguments input_;
  ReportArguments report_{"confirmed"};
  std::optional<std::uint64_t> step_budget_;
  LimitArguments limits_;
  std::uint64_t search_budget_ = pipeline::VerifyOptions{}.search_budget;
  std::string race_;
  std::string schedule_, witness_;
  std::vector<std::string> without_;
  bool no_static_ = false;
  bool no_history_ = false;
  bool no_transactions_ = false;
  bool no_bmc_ = false, bmc_alone_ = false;
  std::uint64_t bmc_patience_ = 1;
};

}  // namespace heddle::cli
