// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/execute/run_command.h"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>

#include "interpret/machine/runner.h"
#include "pipeline/load.h"

namespace heddle::cli {
namespace {

std::string name_of(interpret::OutcomeKind kind) {
  switch (kind) {
    case interpret::OutcomeKind::Running: return "running";
    case interpret::OutcomeKind::Exited: return "exited";
    case interpret::OutcomeKind::Deadlock: return "deadlock";
    case interpret::OutcomeKind::AssertionFailed: return "assertion failed";
    case interpret::OutcomeKind::Aborted: return "aborted";
    case interpret::OutcomeKind::UndefinedBehaviour: return "undefined behaviour";
    case interpret::OutcomeKind::Infeasible: return "infeasible";
    case interpret::OutcomeKind::CapReached: return "limit reached";
    case interpret::OutcomeKind::Unsupported: return "unsupported";
  }
  return "unknown";
}

std::string all_of(std::istream& stream) { return {std::istreambuf_iterator<char>(stream), {}}; }

std::optional<std::string> content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return all_of(file);
}

std::optional<std::string> variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

/// What to do about a limit that was reached.
std::string advice(const std::string& what) {
  if (what.starts_with("instructions")) return "; --limit sets how many";
  if (what == "threads") return "; --max-threads sets how many";
  if (what == "heap" || what == "output" || what == "file size") return "; --max-heap sets how much";
  if (what == "stack depth") return "; --max-depth sets how deep";
  return "";
}

void print_outcome(const Program& program, const interpret::RunOutcome& outcome) {
  std::cerr << "heddle: " << name_of(outcome.kind) << ": " << outcome.what
            << (outcome.kind == interpret::OutcomeKind::CapReached ? advice(outcome.what) : "") << "\n";
  constexpr std::size_t shown = 20;
  std::size_t left = shown;
  for (const interpret::StackEntry& entry : outcome.stack) {
    if (left-- == 0) {
      std::cerr << "  … and " << outcome.stack.size() - shown << " more\n";
      break;
    }
    const Function& function = program.functions[entry.function];
    std::cerr << "  in " << function.source_name << " at "
              << program.where(function.instructions[entry.instruction].location) << "\n";
  }
}

}  // namespace

RunCommand::RunCommand(CLI::App& app) : Command(app, "run", "Interpret the program once") {
  input_.declare(subcommand(), InputArguments::Files::Required);
  subcommand()
      .add_option("--scheduler", scheduler_, "first, round-robin or random")
      ->check(CLI::IsMember({"first", "round-robin", "random"}));
  subcommand().add_option("--seed", seed_, "of the random scheduler");
  subcommand().add_option("--limit", limit_, "instructions to run at most");
  subcommand().add_option("--max-threads", max_threads_, "threads to make at most")->check(CLI::Range(1, 100'000));
  subcommand().add_option("--max-heap", max_heap_, "bytes of memory to hold at most");
  subcommand().add_option("--max-depth", max_depth_, "calls inside each other at most");
  subcommand().add_flag("--statistics", statistics_, "print instructions and time on standard error");
  subcommand().group("");  // hidden
}

ExitCode RunCommand::run(const std::vector<std::string>& clang_flags) {
  const auto options = input_.input(clang_flags);
  const Result<pipeline::Loaded> loaded = options ? pipeline::read_input(*options) : std::unexpected(options.error());
  const Result<void> checked = loaded ? pipeline::check_one_program(*loaded) : std::unexpected(loaded.error());
  const Result<api::ApiModels> models =
      checked ? pipeline::load_models(*options, loaded->program) : std::unexpected(checked.error());
  if (!models) {
    print_error(models.error().message);
    return ExitCode::BadInput;
  }
  print_notes(loaded->notes);
  const Program& program = loaded->program;
  interpret::FixedChooser zeros;
  interpret::MachineOptions settings;
  settings.max_instructions = limit_;
  settings.max_threads = max_threads_;
  settings.max_heap_bytes = max_heap_;
  settings.max_stack_depth = max_depth_;
  settings.host = {[] { return all_of(std::cin); }, content_of, variable};
  settings.record = interpret::MachineOptions::Record::Nothing;
  interpret::Machine machine(program, *models, settings, zeros);
  const auto begin = std::chrono::steady_clock::now();
  const interpret::Scheduler scheduler = scheduler_ == "first"    ? interpret::Scheduler::FirstEnabled
                                         : scheduler_ == "random" ? interpret::Scheduler::Random
                                                                  : interpret::Scheduler::RoundRobin;
  const interpret::RunOutcome& outcome = interpret::run_to_completion(machine, scheduler, seed_);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  std::cout << machine.output();
  std::cerr << machine.error_output();
  if (statistics_)
    std::cerr << machine.instructions() << " instructions in " << spent.count()
              << " s: " << static_cast<double>(machine.instructions()) / spent.count() / 1e6 << " million a second\n";
  if (outcome.kind == interpret::OutcomeKind::Exited) return static_cast<ExitCode>(outcome.exit_code);
  print_outcome(program, outcome);
  const bool is_abort =
      outcome.kind == interpret::OutcomeKind::Aborted || outcome.kind == interpret::OutcomeKind::AssertionFailed;
  return is_abort ? static_cast<ExitCode>(134) : static_cast<ExitCode>(99);
}

}  // namespace heddle::cli
