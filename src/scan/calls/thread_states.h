// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that runs a C++ object: the library calls one virtual function of it as the entry, and another one, in the
// same thread, when the entry has returned.
//
//   std::thread t([k] { … });      _State_impl<…>: ~_State_impl, ~_State_impl (deleting), _M_run
//                                  entry _M_run (slot 2), then the deleting destructor (slot 1): it destroys `k`
#pragma once
#include <vector>

#include "api/action.h"
#include "program/model/program.h"

namespace heddle::scan {

/// What a thread calls behind this entry, by the tables that have both; ascending.
[[nodiscard]] std::vector<FunctionId> called_behind(const Program& program, const api::StartThread& start,
                                                    FunctionId entry);

/// Of functions that a thread may begin or end with, those that it begins with.
[[nodiscard]] std::vector<FunctionId> entries_among(const Program& program, const api::StartThread& start,
                                                    std::vector<FunctionId> functions);

}  // namespace heddle::scan
