// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/load.h"

#include "api/code/library_code.h"
#include "api/models/declared_locks.h"
#include "base/read_file.h"
#include "program/link/link.h"
#include "project/load_project.h"

namespace heddle::pipeline {
namespace {

/// What models say in code becomes part of the program.
Result<void> add_library_code(Program& program) {
  auto files = api::library_code(program);
  if (!files) return std::unexpected(files.error());
  for (const api::LibraryCode& file : *files) {
    auto unit = frontend::read_text(file.text, file.name, program.layout.triple);
    if (!unit) return std::unexpected(unit.error());
    api::keep_only(*unit, file.symbols);
    const std::vector<std::string> names = program.units;
    std::vector<Program> both;
    both.push_back(std::move(program));
    both.push_back(std::move(*unit));
    auto linked = link(std::move(both));
    if (!linked) return std::unexpected(linked.error());
    program = std::move(linked->program);
    program.units = names;
  }
  return {};
}

Result<Loaded> load_captured(const Input& input) {
  project::LoadOptions load;
  load.capture.folder = input.project;
  load.program = input.program;
  auto project = project::load_project(load);
  if (!project) return std::unexpected(project.error());
  Loaded loaded{std::move(project->linked.program), {},
                std::move(project->programs),       std::move(project->notes),
                std::move(project->gaps),           project->key};
  const project::Coverage& captured = project->coverage;
  ReportCoverage& coverage = loaded.coverage;
  coverage.is_project = true;
  coverage.tried = captured.tried;
  coverage.parsed = captured.parsed;
  for (const project::UnitFailure& failure : captured.failed) coverage.failed.push_back(failure.message);
  coverage.skipped = captured.skipped;
  coverage.notes = captured.notes;
  coverage.program = project->program;
  coverage.linked = loaded.program.units.size();
  return loaded;
}

Result<Loaded> read_program(const Input& input) {
  if (input.sources.empty() && !input.project.empty()) return load_captured(input);
  auto program = frontend::read_sources(input.sources, input.frontend);
  if (!program) return std::unexpected(program.error());
  Loaded loaded{std::move(*program), {}, {}, {}, {}};
  loaded.coverage.tried = loaded.coverage.parsed = input.sources.size();
  return loaded;
}

}  // namespace

Result<Loaded> read_input(const Input& input) {
  Result<Loaded> loaded = read_program(input);
  if (!loaded) return loaded;
  if (auto added = add_library_code(loaded->program); !added) return std::unexpected(added.error());
  return loaded;
}

Result<Program> load(const Input& input) {
  auto loaded = read_input(input);
  if (!loaded) return std::unexpected(loaded.error());
  return std::move(loaded->program);
}

FunctionId main_of(const Program& program) {
  const FunctionId main = program.find_function("main");
  return main && program.functions[main].has_body() ? main : FunctionId{};
}

Result<void> check_one_program(const Loaded& loaded) {
  if (loaded.programs.empty()) return {};
  std::string names;
  for (const std::string& name : loaded.programs) names += (names.empty() ? "" : ", ") + name;
  return error("the captured project holds several programs; choose one of them with --program NAME: " + names);
}

namespace {

/// The shipped ones with the profiles and files that the user chose.
Result<api::ApiModels> with_chosen(Result<api::ApiModels> models, const Input& input) {
  if (!models) return models;
  for (const std::string& profile : input.profiles)
    if (Result<void> added = models->add_profile(profile); !added) return std::unexpected(added.error());
  for (const std::string& path : input.model_files) {
    const auto text = read_given_file(path);
    if (!text) return error(path + ": " + text.error().message);
    if (Result<void> added = models->add_toml(*text, path); !added) return std::unexpected(added.error());
  }
  return models;
}

}  // namespace

Result<api::ApiModels> load_models(const Input& input) { return with_chosen(api::ApiModels::shipped(), input); }

Result<void> check_chosen_models(const Input& input) {
  if (input.profiles.empty() && input.model_files.empty()) return {};
  const Result<api::ApiModels> models = load_models(input);
  return models ? Result<void>{} : std::unexpected(models.error());
}

Result<api::ApiModels> load_models(const Input& input, const Program& program) {
  Result<api::ApiModels> models = with_chosen(api::ApiModels::shipped_for(program), input);
  if (models) models->add_missing(api::declared_locks(program));
  return models;
}

ReportCoverage complete(const ReportCoverage& found, const ReportCoverage& read) {
  ReportCoverage all = read;
  all.functions = found.functions;
  all.functions_reached = found.functions_reached;
  all.instructions = found.instructions;
  all.threads = found.threads;
  all.blind_spots.insert(all.blind_spots.end(), found.blind_spots.begin(), found.blind_spots.end());
  all.thread_list = found.thread_list;
  return all;
}

}  // namespace heddle::pipeline
