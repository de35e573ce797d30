// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/input_arguments.h"
#include "cli/limit_arguments.h"
#include "cli/report_arguments.h"
#include "pipeline/explore.h"

namespace heddle::cli {

/// `heddle explore FILE… -- ARGUMENTS`: runs the program, in every order that matters, and says whether it races.
class ExploreCommand : public Command {
 public:
  explicit ExploreCommand(CLI::App& app);
  ExitCode run(const std::vector<std::string>& program_arguments) override;

 private:
  void print_summary(const pipeline::Explored& explored) const;

  InputArguments input_;
  ReportArguments report_{"confirmed"};
  LimitArguments limits_;
  pipeline::ExploreOptions options_;
  bool tells_statistics_ = false;
  std::vector<std::string> flags_;
};

}  // namespace heddle::cli
