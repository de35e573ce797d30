// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known about library functions, for people: `heddle models` prints every model, `heddle models FILES` the
// functions a program uses that have neither a body nor a model. Those are the names to write models for: until then
// each one is a reason not to decide.
//
//   pthread_mutex_trylock   acquire 0, blocking = false, success = zero                models/pthread.toml
//   sched_yield             no effect                                                  models/posix.toml
//
// Cost: linear in the models, or in the instructions of the program.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "api/models/api_models.h"
#include "program/model/program.h"

namespace heddle::api {

struct ModelListing {
  std::string name;
  std::string effects;  ///< in the words of the model file, separated by "; "; `no effect` for an empty list
  std::string file;
};

[[nodiscard]] ModelListing describe_model(const Model& model);

/// One row for each model, sorted by name.
[[nodiscard]] std::vector<ModelListing> list_models(const ApiModels& models);

void print_models(std::ostream& out, const ApiModels& models);
/// What is called from outside, one rule a line.
void print_entries(std::ostream& out, const ApiModels& models);

/// Functions without body and model that the program calls or whose address it takes; sorted, each once.
[[nodiscard]] std::vector<std::string> unexplained_calls(const Program& program, const ApiModels& models);

}  // namespace heddle::api
