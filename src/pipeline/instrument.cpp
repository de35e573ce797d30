// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/instrument.h"

#include <algorithm>
#include <filesystem>

#include "base/write_file.h"
#include "explore/interpreted/open_ends.h"
#include "explore/sides/table_of_sides.h"

namespace heddle::pipeline {
namespace {

/// The program has signal handlers or the like: a library function may run code of the program unasked.
bool has_hidden_callers(const Program& program, const api::ApiModels& models) {
  return std::ranges::any_of(program.functions, [&](const Function& function) {
    const api::Model* model = function.has_body() ? nullptr : models.find(function.name);
    return model != nullptr && std::ranges::any_of(model->effects, [](const api::Effect& effect) {
             return api::get<api::DoUnsupported>(effect).has_value();
           });
  });
}

}  // namespace

Result<project::NativeProgram> instrument(const Input& input, const project::NativeOptions& how) {
  const auto models = load_models(input);
  if (!models) return std::unexpected(models.error());
  if (input.sources.empty()) return project::build_instrumented_project(input.project, input.program, *models, how);
  return project::build_instrumented(input.sources, input.frontend, *models, how);
}

Result<SidesFile> write_sides(const Input& input, const std::string& folder) {
  const Result<Loaded> loaded = read_input(input);
  if (!loaded) return std::unexpected(loaded.error());
  const Result<api::ApiModels> models = load_models(input, loaded->program);
  if (!models) return std::unexpected(models.error());
  using Known = explore::CodeEffects::Known;
  const Known least = has_hidden_callers(loaded->program, *models) ? Known::Nothing : Known::Accesses;
  const auto knowledge = [&](const Function& function) {
    return explore::is_under_control(function, *models) ? Known::Everything : least;
  };
  explore::SideTable table = explore::table_of_sides(loaded->program, *models, knowledge);
  if (!loaded->gaps.empty()) table.obstacle = loaded->gaps.front();
  SidesFile out{folder + "/sides", table.obstacle, table.unknown_calls};
  if (!out.obstacle.empty()) return out;
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  const Result<void> written = write_file(out.path, table.to_text());
  return written ? Result<SidesFile>(std::move(out)) : std::unexpected(written.error());
}

}  // namespace heddle::pipeline
