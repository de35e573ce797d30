// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/execute/explore_command.h"

#include "cli/interrupt_flag.h"
#include "cli/progress_line.h"
#include "report/words.h"

namespace heddle::cli {

ExploreCommand::ExploreCommand(CLI::App& app)
    : Command(app, "explore",
              "Run the program in every order of its threads that matters; arguments of the program stand behind --") {
  input_.declare(subcommand(), InputArguments::Files::Required);
  report_.declare(subcommand());
  subcommand()
      .add_option("--flag", flags_, "a flag for clang, for programs given as files; may be repeated")
      ->option_text("FLAG")
      ->allow_extra_args(false);
  subcommand()
      .add_option("--stdin", options_.standard_input, "what the program reads as its standard input (default: nothing)")
      ->option_text("FILE")
      ->check(CLI::ExistingFile);
  subcommand()
      .add_option("--events", options_.events,
                  "operations of all executions together before the search gives up with 'unknown' (default: " +
                      std::to_string(options_.events) + ")")
      ->option_text("N")
      ->check(check_positive);
  subcommand()
      .add_option("--steps", options_.steps,
                  "operations of one execution before it is cut; then nothing is proved (default: 2000)")
      ->option_text("N");
  subcommand()
      .add_option("--threads", options_.threads, "threads at most (default: " + std::to_string(options_.threads) + ")")
      ->option_text("N")
      ->check(CLI::Range(2, 250));
  subcommand()
      .add_option("--state", options_.state_file,
                  "keep there what is left of the search: if it is interrupted, the same command goes on with it")
      ->option_text("FILE");
  subcommand().add_flag("--hook-all", options_.hook_all, "watch every access, private memory too");
  subcommand().add_flag("--all", options_.finds_all, "go on behind the first race, and report every racing pair");
  subcommand().add_flag_callback(
      "--no-pdp", [this] { options_.prunes = false; },
      "run every order that differs: do not leave out those that cannot have a race");
  subcommand().add_flag("--stats", tells_statistics_, "say how large the program and the search were");
  subcommand().add_flag("--show-output", options_.shows_output, "let through what the program prints");
  subcommand()
      .add_option("--keep", options_.folder, "keep the instrumented program in this folder, for the next time")
      ->option_text("FOLDER");
  subcommand()
      .add_option("--schedule", options_.schedule_file,
                  "write the schedule of a confirmed race there, for 'heddle replay'")
      ->option_text("FILE");
  limits_.declare(subcommand(), "explore ends with what it knows (default: none)");
}

void ExploreCommand::print_summary(const pipeline::Explored& explored) const {
  std::ostream& out = report_.last_words();
  if (explored.was_resumed) out << "went on with the search in " << options_.state_file << '\n';
  if (explored.is_left)
    out << "what is left of the search is in " << options_.state_file << "; the same command goes on with it\n";
  if (explored.executions > 0) out << explored.executions << " executions, " << explored.events << " operations\n";
  if (!tells_statistics_) return;
  const explore::SharedCounts& counts = explored.counts;
  if (counts.threads > 0)
    out << "program: " << counts.threads << " threads, " << counts.variables << " shared variables, " << counts.accesses
        << " accesses, " << counts.locks << " locks; " << explored.report.races.size() << " races\n";
  if (explored.pruning)
    out << "pruning: " << explored.pruning->checks << " checks, " << explored.pruning->yes << " yes, "
        << explored.pruning->skipped << " skipped, " << explored.pruning->looks << " looks; " << explored.unknown_calls
        << " calls of unknown functions\n";
  for (const auto& [why, count] : explored.unknown_sides)
    out << "pruning: " << count << (count == 1 ? " branch" : " branches") << " may do anything: " << why << '\n';
  if (!explored.unpruned.empty()) out << "pruning: none, for " << explored.unpruned << '\n';
}

ExitCode ExploreCommand::run(const std::vector<std::string>& program_arguments) {
  const auto input = report_.input(input_, flags_);
  if (!input) {
    print_error(input.error().message);
    return ExitCode::BadInput;
  }
  ProgressLine line;
  InterruptFlag interrupt(&line.progress());
  options_.stop = limits_.stop(&interrupt.raised(), &line.progress());
  options_.workers = report_.jobs();
  options_.arguments = program_arguments;
  Result<pipeline::Explored> explored = pipeline::explore(*input, options_, print_notes);
  line.end();
  interrupt.end();
  Result<void> done = explored ? report_.finish(explored->report) : std::unexpected(explored.error());
  if (done) report_.filter(explored->report);
  if (done) done = report_.write(explored->report);
  if (!done) {
    print_error(done.error().message);
    return ExitCode::BadInput;
  }
  report_.tell_of_filters(explored->report);
  print_summary(*explored);
  const Verdict verdict = explored->report.verdict;
  report_.last_words() << "verdict: " << report::word(verdict) << '\n';
  if (report_.fails(explored->report)) return ExitCode::Races;
  return verdict == Verdict::Unknown ? ExitCode::Incomplete : ExitCode::Fine;
}

}  // namespace heddle::cli
