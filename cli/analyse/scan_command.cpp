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
  CLI::Option* shared = subcommand().add_flag(
      "--shared", lists_shared_, "list the shared variables, with what makes each of them shared, and no races");
  CLI::Option* others =
      subcommand().add_flag("--not-shared", lists_others_, "as --shared, and the other variables with the reasons");
  for (const char* name : {"--file", "--variable", "--thread", "--only", "--baseline", "--suppressions", "--fail-on"}) {
    shared->excludes(name);
    others->excludes(name);
  }
}

ExitCode ScanCommand::run(const std::vector<std::string>& clang_flags) {
  const auto input = report_.input(input_, clang_flags);
  if (input && (lists_shared_ || lists_others_)) return list_shared(*input);
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

ExitCode ScanCommand::list_shared(const pipeline::Input& input) {
  if (report_.is_sarif()) {
    print_error("--shared lists variables: use --format text or json");
    return ExitCode::BadInput;
  }
  pipeline::SharedOptions options;
  options.how = scan_.options(report_.jobs());
  options.how.stop = limits_.stop(nullptr, nullptr);
  options.listed = lists_others_ ? scan::Listed::AlsoOthers : scan::Listed::Shared;
  options.as_json = !report_.is_text();
  const auto found = pipeline::list_shared(input, options, print_notes);
  const auto written = found ? report_.write(found->text) : std::unexpected(found.error());
  if (!written) {
    print_error(written.error().message);
    return ExitCode::BadInput;
  }
  report_.write_last_line("heddle: " + found->last_line +
                          (found->may_hide ? "; what was not looked at may hide some (exit code 3)" : ""));
  return found->may_hide ? ExitCode::Incomplete : ExitCode::Fine;
}

}  // namespace heddle::cli
