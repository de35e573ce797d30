// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The answers of ProgramSides to every question that a run of the program can raise, as a table for whoever runs it
// natively (executor/side_table.h). Accesses have the numbers of their hooks (AccessId), places those of
// program/names/place_number.h.
//
// Sound where the program differs from the Program: code of which there are two versions under one number, functions
// that others define, library calls with a state of their own (files, time, the result of a barrier) are not known.
// With an obstacle the table has nothing else. Cost: each side of each branch is looked at once; beyond a fixed number
// of accesses the rest may do anything.
#pragma once
#include "explore/executor/side_table.h"
#include "explore/sides/code_effects.h"

namespace heddle::explore {

SideTable table_of_sides(const Program& program, const api::ApiModels& models, const CodeEffects::Knowledge& knowledge);

}  // namespace heddle::explore
