// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/analyse/scan_command.h"

#include "pipeline/scan.h"

namespace heddle::cli {

ScanCommand::ScanCommand(CLI::App& app)
    : Command(app, "scan", "Suspected races of a captured project, or of sources, by static analysis alone") {
  input_.declare(subcommand(), InputArguments::Files::Required);
  report_.declare(subcommand());
  scan_.declare(subcommand());
  limits_.declare(subcommand(), "scan ends with what it knows (default: none)");
  subcommand().add_flag("--no-store", no_store_, "neither read nor keep what scans of a captured project keep");
}

ExitCode ScanCommand::run(const std::vector<std::string>& clang_flags) {
  const auto input = report_.input(input_, clang_flags);
  pipeline::ScanOptions options;
  options.how = scan_.options(report_.jobs());
  options.how.stop = limits_.stop(nullptr, nullptr);
  options.keep_summaries = !no_store_;
  options.reuse_report = !scan_.wants_stats();  // there would be nothing to tell
  auto result = input ? pipeline::scan(*input, options, print_notes) : std::unexpected(input.error());
  if (!result) {
    print_error(result.error().message);
    return ExitCode::BadInput;
  }
  return scan_.write(*result, report_);
}

}  // namespace heddle::cli
