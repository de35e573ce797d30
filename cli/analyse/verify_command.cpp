// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/analyse/verify_command.h"

#include <new>

#include "cli/interrupt_flag.h"
#include "cli/process_guard.h"
#include "cli/progress_line.h"
#include "report/words.h"

namespace heddle::cli {

VerifyCommand::VerifyCommand(CLI::App& app)
    : Command(app, "verify", "Decide whether one program has data races; the last line is the verdict") {
  input_.declare(subcommand(), InputArguments::Files::Required);
  report_.declare(subcommand());
  const pipeline::VerifyOptions limits;
  subcommand()
      .add_option(
          "--step-budget", step_budget_,
          "analysis steps before heddle gives up with 'unknown' and lists the suspected races of a scan (default: " +
              std::to_string(limits.step_budget) + ", about half a minute; of programs with more than " +
              std::to_string(limits.large_program) + " instructions " + std::to_string(limits.large_step_budget) + ")")
      ->option_text("N")
      ->check(check_positive);
  subcommand()
      .add_option("--search-budget", search_budget_,
                  "instructions to interpret when looking for a race that was not excluded (default: " +
                      std::to_string(limits.search_budget) + "; 0: do not look)")
      ->option_text("N");
  limits_.declare(subcommand(),
                  "verify ends with what it knows, half of them for the static analysis (default: none, the budgets "
                  "end it)");
  subcommand()
      .add_option(
          "--race", race_,
          "decide one race of 'heddle scan' of the same program, by its ID or the beginning of it; the last line "
          "is the verdict on that race")
      ->option_text("ID");
  subcommand()
      .add_option("--without", without_,
                  "an assumption of docs/assumptions.md that no proof may use, such as allocation-succeeds; may be "
                  "repeated")
      ->option_text("NAME")
      ->allow_extra_args(false)
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(pipeline::optional_assumptions),
                                                     std::end(pipeline::optional_assumptions))));
  subcommand().add_flag("--no-history", no_history_, "do not compare the orders in which threads took their locks");
  subcommand().add_flag("--no-transactions", no_transactions_,
                        "do not look for what keeps two accesses apart in all threads together");
  subcommand().add_flag("--no-bmc", no_bmc_,
                        "do not look for a race in all executions of few rounds when running the program did not "
                        "decide");
  subcommand()
      .add_flag("--bmc-alone", bmc_alone_, "ask no judge but that one, and count no proof")
      ->group("");  // hidden
  subcommand()
      .add_option("--bmc-patience", bmc_patience_, "with --bmc-alone: so many times the effort that it makes")
      ->group("");                                                                                          // hidden
  subcommand().add_flag("--no-static", no_static_, "do not count proofs of the static stages")->group("");  // hidden
  subcommand()
      .add_option("--schedule", schedule_, "write the schedule of a confirmed race there, for 'heddle replay'")
      ->option_text("FILE");
  subcommand()
      .add_option("--witness", witness_, "write a witness of the verdict there, in the format of SV-COMP")
      ->option_text("FILE.yml");
}

/// A race that the user does not want to hear of is still the verdict; it only does not make the run fail.
ExitCode VerifyCommand::exit_code_of(const RaceReport& report) const {
  if (report_.fails(report)) return ExitCode::Races;
  return report.verdict == Verdict::Unknown ? ExitCode::Incomplete : ExitCode::Fine;
}

/// Memory can run out before there is a program to speak of, and behind that, where pipeline::verify cannot go on.
Result<RaceReport> VerifyCommand::verify(const pipeline::Input& input, const pipeline::VerifyOptions& options) {
  try {
    return pipeline::verify(input, options, print_notes);
  } catch (const std::bad_alloc&) {
    note_no_memory();
    return error({});
  }
}

/// Of the program nothing is known, and that is a verdict.
ExitCode VerifyCommand::no_memory() const {
  tell_of_no_memory();
  report_.last_words() << "verdict: " << report::word(Verdict::Unknown) << '\n';
  return ExitCode::Incomplete;
}

ExitCode VerifyCommand::run(const std::vector<std::string>& clang_flags) {
  const auto input = report_.input(input_, clang_flags);
  if (!input) {
    print_error(input.error().message);
    return ExitCode::BadInput;
  }
  if (!witness_.empty() && !input_.has_files()) {
    print_error("--witness: the format names the files of a program; name them, a captured project has too many");
    return ExitCode::BadInput;
  }
  if (!schedule_.empty() && !input_.has_files()) {
    print_error("--schedule: a schedule of a captured project cannot be replayed yet; name the files of the program");
    return ExitCode::BadInput;
  }
  pipeline::VerifyOptions options;
  if (step_budget_) options.step_budget = options.large_step_budget = *step_budget_;
  options.jobs = report_.jobs();
  options.search_budget = search_budget_;
  options.race = race_;
  ProgressLine line;
  InterruptFlag interrupt(&line.progress());
  options.stop = limits_.stop(&interrupt.raised(), &line.progress());
  options.schedule_file = schedule_;
  options.witness_file = witness_;
  options.static_proofs = !no_static_;
  options.histories = !no_history_;
  options.transactions = !no_transactions_;
  options.bounded = !no_bmc_;
  if (bmc_alone_) {
    options.bounded_alone = true;
    options.patience = bmc_patience_;
    options.static_proofs = options.histories = options.transactions = false;
    options.search_budget = 0;
  }
  options.without = {without_.begin(), without_.end()};

  Result<RaceReport> report = verify(*input, options);
  line.end();
  interrupt.end();
  if (!report && was_memory_refused()) return no_memory();
  Result<void> done = report ? report_.finish(*report) : std::unexpected(report.error());
  const ExitCode code = done ? exit_code_of(*report) : ExitCode::BadInput;  // of the program, whatever is shown of it
  if (done) report_.filter(*report);
  if (done) done = report_.write(*report);
  if (!done) {
    print_error(done.error().message);
    return ExitCode::BadInput;
  }
  report_.tell_of_filters(*report);
  const std::string of = report->only_race.empty() ? "" : " of race " + report->only_race;
  report_.last_words() << "verdict" << of << ": " << report::word(report->verdict) << '\n';
  return code;
}

}  // namespace heddle::cli
