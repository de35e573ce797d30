// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/analyse/run_arguments.h"

#include <algorithm>
#include <filesystem>

#include "api/reader/model_reader.h"
#include "base/contains.h"
#include "base/read_file.h"
#include "cli/command.h"
#include "cli/project_file.h"
#include "host/shell_words.h"

namespace heddle::cli {
namespace {

/// What only a shell understands.
constexpr std::string_view of_shells[] = {"|", "||", "&", "&&", ";", "<", ">", ">>", "2>", "2>&1", "&>"};

}  // namespace

void RunArguments::declare(CLI::App& subcommand) {
  option_ = subcommand
                .add_option("--run", command_,
                            "run the program, so, and look for the suspected races in its runs; without a command: "
                            "that of heddle.toml ([run] command = \"…\")")
                ->option_text("[COMMAND]")
                ->expected(0, 1);
  subcommand
      .add_option("--stdin", options_.standard_input,
                  "with --run: what the program reads as its standard input (default: nothing)")
      ->option_text("FILE")
      ->check(CLI::ExistingFile);
  subcommand
      .add_option("--run-seconds", options_.seconds,
                  "with --run: seconds for all runs together (default: " + std::to_string(options_.seconds) + ")")
      ->option_text("N")
      ->check(check_positive);
}

Result<std::string> RunArguments::command(const pipeline::Input& input) const {
  if (!command_.empty()) return command_;
  namespace fs = std::filesystem;
  const auto file = find_project_file(input.sources.empty() ? "." : fs::path(input.sources.front().path).parent_path());
  if (!file) return error("--run: there is no heddle.toml with a command; write --run './program arguments'");
  const auto text = read_file(file->string());
  if (!text) return error(file->string() + " " + text.error().message);
  const auto settings = api::read_models(*text, file->string());
  if (!settings) return std::unexpected(settings.error());
  if (settings->run.command.empty())
    return error("--run: " + file->string() +
                 " has no [run] command = \"…\"; add one, or write --run './program arguments'");
  print_notes({"runs, as " + file->string() + " says: " + settings->run.command});
  return settings->run.command;
}

Result<pipeline::HuntOptions> RunArguments::options(pipeline::Input& input) const {
  const Result<std::string> typed = command(input);
  if (!typed) return std::unexpected(typed.error());
  const Result<std::vector<std::string>> words = host::split_shell_words(*typed);
  if (!words) return error("--run " + *typed + ": " + words.error().message);
  if (words->empty()) return error("--run: the command is empty; write --run './program arguments'");
  for (const std::string& word : *words)
    if (contains(of_shells, word))
      return error("--run: '" + word +
                   "' is for a shell, and none is started; write the program with its arguments, and --stdin FILE for "
                   "its standard input");
  pipeline::HuntOptions out = options_;
  out.called = words->front();
  out.arguments.assign(words->begin() + 1, words->end());
  if (input.sources.empty() && input.program.empty()) input.program = out.called;
  return out;
}

}  // namespace heddle::cli
