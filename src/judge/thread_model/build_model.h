// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the program to its model: functions are put in place of their calls, instructions become acts.
//
// Sound because nothing is left out: an instruction that is not understood makes its result any number, memory that is
// not followed has no variable, and where that is not enough (a call through a pointer, recursion, an exception, atomic
// accesses of a weaker order) there is no model. A function is not looked into if it does nothing that the model knows,
// and no access that a warning is about stands in it. Where a thread goes on only if something holds, there is also a
// way on which it does not, and stays: the edges of a point leave no case out.
#pragma once
#include <expected>
#include <set>
#include <string>

#include "api/models/api_models.h"
#include "judge/thread_graphs/model.h"

namespace heddle::judge::transaction {

struct BuildOptions {
  std::set<Place> places;         ///< that warnings are about
  std::set<std::string> without;  ///< assumptions that may not be used
  bool declared_arrays = false;   ///< an index stays in the array that it is declared for: `pointer-arithmetic`
  bool follows_elements = false;  ///< of arrays whose elements warnings are about, one that stands for all (rows.h)
  std::size_t most_points = 20'000;
  std::size_t most_threads = 12;
};

struct BuiltModel {
  Model model;                        ///< not finished: a slice of it may be enough
  std::set<std::string> assumptions;  ///< docs/assumptions.md
  std::set<Place> visited;            ///< places of which the model knows when they are accessed; of others nothing
  std::set<Place> of_elements;        ///< of these, those that access an element that is followed
};

/// The error says why the program has no model.
[[nodiscard]] std::expected<BuiltModel, std::string> build_model(const Program& program, const api::ApiModels& models,
                                                                 FunctionId main, const BuildOptions& options);

}  // namespace heddle::judge::transaction
