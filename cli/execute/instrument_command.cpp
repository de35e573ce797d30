// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/execute/instrument_command.h"

#include <iostream>
#include <nlohmann/json.hpp>
#include <thread>

#include "pipeline/instrument.h"

namespace heddle::cli {

InstrumentCommand::InstrumentCommand(CLI::App& app)
    : Command(app, "instrument", "Build a program with a hook in front of every shared access") {
  input_.declare(subcommand(), InputArguments::Files::Required);
  subcommand().add_option("-o,--output", how_.folder, "folder for the program and its table")->required();
  subcommand().add_option("--runtime", how_.runtime, "the archive to link, in place of libheddle_runtime.a");
  subcommand().add_flag("--hook-all", how_.hook_all, "hook private memory, too");
  how_.processes = std::max(1U, std::thread::hardware_concurrency());
  subcommand().add_option("-j,--jobs", how_.processes, "units at a time (default: one per core)");
  subcommand().group("");  // hidden
}

ExitCode InstrumentCommand::run(const std::vector<std::string>& clang_flags) {
  const Result<pipeline::Input> input = input_.input(clang_flags);
  const auto built = input ? pipeline::instrument(*input, how_) : std::unexpected(input.error());
  if (!built) {
    print_error(built.error().message);
    return ExitCode::BadInput;
  }
  print_notes(built->notes);
  const instrument::HookCounts& counts = built->counts;
  nlohmann::ordered_json json;
  json["program"] = built->program;
  json["accesses"] = built->table;
  json["units"] = built->units;
  json["reused"] = built->reused;
  json["hooks"] = {
      {"accesses", counts.accesses}, {"library", counts.library}, {"calls", counts.calls}, {"ends", counts.ends}};
  json["left_alone"] = counts.left_alone;
  json["assembly"] = counts.assembly;
  json["unsaid"] = counts.unsaid;
  json["unknown"] = counts.unknown;
  std::cout << json.dump() << "\n";
  return ExitCode::Fine;
}

}  // namespace heddle::cli
