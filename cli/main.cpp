// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <exception>
#include <iostream>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <system_error>

#include "base/check.h"
#include "base/machine/failure_words.h"
#include "cli/analyse/check_command.h"
#include "cli/analyse/depend_command.h"
#include "cli/analyse/explain_command.h"
#include "cli/analyse/ir_command.h"
#include "cli/analyse/models_command.h"
#include "cli/analyse/scan_command.h"
#include "cli/analyse/verify_command.h"
#include "cli/command.h"
#include "cli/execute/enumerate_command.h"
#include "cli/execute/explore_command.h"
#include "cli/execute/instrument_command.h"
#include "cli/execute/replay_command.h"
#include "cli/execute/run_command.h"
#include "cli/prepare/capture_command.h"
#include "cli/prepare/cc_command.h"
#include "cli/prepare/doctor_command.h"
#include "cli/prepare/init_command.h"
#include "cli/process_guard.h"
#include "cli/self_description.h"
#include "cli/version_command.h"

namespace heddle::cli {
namespace {

struct CommandLine {
  std::vector<std::string> own;          ///< in front of `--`
  std::vector<std::string> clang_flags;  ///< behind it
};

CommandLine split_at_double_dash(std::span<char*> arguments) {
  const auto dashes = std::ranges::find_if(arguments, [](const char* a) { return std::string_view(a) == "--"; });
  CommandLine line;
  line.own.assign(arguments.begin(), dashes);
  if (dashes != arguments.end()) line.clang_flags.assign(dashes + 1, arguments.end());
  return line;
}

using Commands = std::vector<std::unique_ptr<Command>>;

struct CommandRow {
  std::string_view name;
  std::unique_ptr<Command> (*make)(CLI::App&);
};

template <class Made>
std::unique_ptr<Command> make(CLI::App& app) {
  return std::make_unique<Made>(app);
}

/// In the order of `heddle --help`.
constexpr CommandRow command_rows[] = {
    {"verify", make<VerifyCommand>},
    {"scan", make<ScanCommand>},
    {"check", make<CheckCommand>},
    {"depend", make<DependCommand>},
    {"explain", make<ExplainCommand>},
    {"ir", make<IrCommand>},
    {"models", make<ModelsCommand>},
    {"run", make<RunCommand>},
    {"replay", make<ReplayCommand>},
    {"capture", make<CaptureCommand>},
    {"cc", make<CcCommand>},
    {"init", make<InitCommand>},
    {"doctor", make<DoctorCommand>},
    {"enumerate", make<EnumerateCommand>},
    {"instrument", make<InstrumentCommand>},
    {"explore", make<ExploreCommand>},
    {"version", make<VersionCommand>},
};

bool is_command(std::string_view word) {
  return std::ranges::find(command_rows, word, &CommandRow::name) != std::end(command_rows);
}

/// The command that `chosen` names, or all of them where it names none: options of one are declared in a fraction of a
/// millisecond, those of all in several.
Commands make_commands(CLI::App& app, std::string_view chosen) {
  Commands commands;
  for (const CommandRow& row : command_rows) {
    if (is_command(chosen) && row.name != chosen) continue;
    commands.push_back(row.make(app));
    HEDDLE_CHECK(app.get_subcommands(nullptr).back()->get_name() == row.name, "a command has the name of its row");
  }
  app.add_subcommand("help", "The same as 'heddle COMMAND --help'");
  return commands;
}

/// CLI11 alone would say "a subcommand is required" for a misspelt one.
bool names_unknown_command(const CommandLine& line) {
  return !line.own.empty() && !line.own.front().starts_with('-') && !is_command(line.own.front());
}

/// `heddle help scan` is `heddle scan --help`.
void rewrite_help(CommandLine& line) {
  if (line.own.empty() || line.own.front() != "help") return;
  line.own.erase(line.own.begin());
  line.own.resize(std::min<std::size_t>(line.own.size(), 1));
  line.own.emplace_back("--help");
}

/// What shells and the build ask for; people have no use for it.
bool describe_itself(const CLI::App& app, const CommandLine& line) {
  if (line.own.empty()) return false;
  if (line.own.front() == "complete-words")
    print_fitting_words(std::cout, app, {line.own.begin() + 1, line.own.end()});
  else if (line.own.front() == "man-page")
    print_man_page(std::cout, app, line.own.size() > 1 ? line.own[1] : "");
  else
    return false;
  return true;
}

ExitCode dispatch(CommandLine line) {
  CLI::App app("heddle finds data races in C and C++ programs, or shows that there are none.", "heddle");
  app.set_version_flag("--version", version_text);
  app.require_subcommand(1);
  app.footer("Exit codes: 0 no race found, 1 races, 2 bad usage or input, 3 no verdict was reached.");
  rewrite_help(line);
  const Commands commands = make_commands(app, line.own.empty() ? "" : line.own.front());
  if (describe_itself(app, line)) return ExitCode::Fine;
  if (names_unknown_command(line)) {
    const std::string near = did_you_mean(app, line.own.front());
    print_error("there is no command '" + line.own.front() + "'" + near + (near.empty() ? "; see" : " See") +
                " 'heddle --help'");
    return ExitCode::BadInput;
  }
  try {
    std::vector<std::string> words(line.own.rbegin(), line.own.rend());  // CLI11 takes its vector from the back
    app.parse(words);
  } catch (const CLI::ParseError& stop) {
    if (stop.get_exit_code() == 0) return app.exit(stop), ExitCode::Fine;  // --help and --version
    const bool is_unknown = dynamic_cast<const CLI::ExtrasError*>(&stop) != nullptr;
    const std::string near = is_unknown ? did_you_mean_option(app, line.own) : "";
    print_error(stop.what() + near + (near.empty() ? "; see" : " See") + " 'heddle --help' or 'heddle COMMAND --help'");
    return ExitCode::BadInput;
  }
  for (const std::unique_ptr<Command>& command : commands)
    if (command->chosen()) return command->run(line.clang_flags);
  return ExitCode::BadInput;
}

/// With what to do about it. The words of the exception name the file.
std::string words_of(const std::system_error& refused) {
  const std::string words = failure_words(refused.code().value());
  const std::size_t advice = words.find(" (");
  return refused.what() + (advice == std::string::npos ? "" : words.substr(advice));
}

ExitCode run(std::span<char*> arguments) {
  try {
    return finish_output(dispatch(split_at_double_dash(arguments)));
  } catch (const std::bad_alloc&) {
    tell_of_no_memory();
  } catch (const std::system_error& refused) {
    print_error("the system refused what heddle needs: " + words_of(refused) + "; no verdict was reached");
  } catch (const std::exception& bug) {
    print_error(std::string("this is a bug in heddle, not in your program; please report it with the input that caused "
                            "it. No verdict was reached. ") +
                bug.what());
  }
  return ExitCode::Incomplete;
}

}  // namespace
}  // namespace heddle::cli

int main(int count, char** values) {
  const std::span<char*> arguments(values + 1, static_cast<std::size_t>(std::max(count - 1, 0)));
  if (arguments.size() > 1 && std::string_view(arguments.front()) == "cc")
    return heddle::cli::run_as_compiler(arguments.subspan(1));
  heddle::cli::prepare_process();
  return heddle::cli::run_guarded([&] { return static_cast<int>(heddle::cli::run(arguments)); });
}
