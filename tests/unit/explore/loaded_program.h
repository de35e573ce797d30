// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program of a test with the models that it asks for.
#pragma once
#include <string>
#include <utility>

#include "frontend/scratch_source.h"
#include "pipeline/load.h"

namespace heddle::explore {

struct LoadedProgram {
  Result<Program> program;
  Result<api::ApiModels> models;
};

/// Of what does not compile there are no models.
inline LoadedProgram load_program(const pipeline::Input& input) {
  Result<Program> program = pipeline::load(input);
  if (!program) return {std::move(program), error("no program")};
  Result<api::ApiModels> models = pipeline::load_models(input, *program);
  return {std::move(program), std::move(models)};
}

inline LoadedProgram load_program(const std::string& text) {
  const frontend::ScratchFolder folder;
  pipeline::Input input;
  input.sources.push_back({folder.write("case.c", text), {}});
  return load_program(input);
}

}  // namespace heddle::explore
