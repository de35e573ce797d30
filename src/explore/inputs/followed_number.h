// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One value of an input, followed through the code behind the call that gave it: which branches it decides, and whether
// anything but comparisons with constants sees it. It is what compilers do to propagate constants (a value is a number
// or could be any, blocks count once a way leads there, up to a fixpoint), with one number more: the input.
//
//   n = call nondet              n = 7, the input
//   c = n < 10                   true, and "n was compared with 10"
//   if (c) a[n] = 0              a use
#pragma once
#include <cstdint>
#include <set>
#include <vector>

#include "api/models/api_models.h"
#include "program/model/program.h"

namespace heddle::explore {

/// A call of a function without a body that returns a number.
struct InputCall {
  FunctionId function;
  std::size_t instruction = 0;
  std::uint32_t bits = 0;  ///< of the result
};

/// What following one value showed.
struct Followed {
  bool is_used = false;          ///< something depends on more than how it compares
  bool is_lost = false;          ///< there was too much to follow
  std::set<std::uint64_t> cuts;  ///< values at which a comparison changes its answer, and 0 and the first negative one
};

Followed follow_number(const Program& program, const api::ApiModels& models, const InputCall& call,
                       std::uint64_t value);

}  // namespace heddle::explore
