// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/instrument.h"

#include <algorithm>
#include <filesystem>

#include "base/write_file.h"
#include "explore/interpreted/open_ends.h"
#include "explore/sides/table_of_sides.h"

namespace heddle::pipeline {
namespace {

/// It may run a handler of the program.
bool sends_signals(std::string_view function) {
  constexpr std::string_view senders[] = {"raise",        "kill",     "killpg",           "tgkill",
                                          "pthread_kill", "sigqueue", "pthread_sigqueue", "sigsuspend"};
  return std::ranges::find(senders, function) != std::end(senders);
}

explore::CodeEffects::Known known_of(const Function& function, const api::ApiModels& models) {
  using Known = explore::CodeEffects::Known;
  if (explore::is_under_control(function, models)) return Known::Everything;
  return sends_signals(function.name) ? Known::Nothing : Known::Accesses;
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
  const auto knowledge = [&](const Function& function) { return known_of(function, *models); };
  explore::SideTable table = explore::table_of_sides(loaded->program, *models, knowledge);
  if (!loaded->gaps.empty()) table.obstacle = loaded->gaps.front();
  SidesFile out{folder + "/sides", table.obstacle, table.unknown_calls, table.unknown_sides};
  if (!out.obstacle.empty()) return out;
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  const Result<void> written = write_file(out.path, table.to_text());
  return written ? Result<SidesFile>(std::move(out)) : std::unexpected(written.error());
}

}  // namespace heddle::pipeline
