// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "cli/command.h"
#include "cli/input_arguments.h"

namespace heddle::cli {

/// `heddle scan [FILE…]`: suspected races of a captured project or of sources, static stages only, for code of any
/// size.
class ScanCommand : public Command {
 public:
  explicit ScanCommand(CLI::App& app);
  ExitCode run(const std::vector<std::string>& clang_flags) override;

 private:
  [[nodiscard]] Result<void> quiet(RaceReport& report) const;
  [[nodiscard]] bool counts(const ReportRace& race) const;

  InputArguments input_;
  std::string format_ = "text";
  std::string output_;
  unsigned jobs_ = 0;
  std::uint32_t limit_ = 100;
  std::vector<std::string> profiles_;
  std::vector<std::string> suppression_files_;
  std::string baseline_;
  std::string fail_on_ = "unlikely";
  bool stats_ = false;
  std::vector<std::string> without_;
  bool sound_ = false;
  bool no_store_ = false;
};

}  // namespace heddle::cli
