// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What keeps a program from being closed: places where one run on the interpreter does not stand for every run of the
// same schedule. With any of them no search, however complete, proves anything.
//
//   int main(int argc, char **argv) { return argc; }      "main reads its arguments"
//   atomic_compare_exchange_weak(&a, &e, 1)                "an exchange that may fail without a reason"
//
// The list errs on the side of finding too much: everything that is in the program counts, reached or not, and a
// library function or an effect that is not known to be harmless is not.
#pragma once
#include <set>
#include <string>

#include "api/models/api_models.h"
#include "program/model/program.h"

namespace heddle::explore {

/// Whether a library function does the same on every run of the same schedule, and what its model says.
bool is_under_control(const Function& function, const api::ApiModels& models);

std::set<std::string> open_ends(const Program& program, const api::ApiModels& models);

/// Names from docs/assumptions.md that a proof by exhaustion of this program rests on, sorted.
std::set<std::string> exhaustion_assumptions(const Program& program, const api::ApiModels& models);

}  // namespace heddle::explore
