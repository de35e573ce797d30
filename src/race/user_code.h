// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whose code a call stack goes through, and what the user calls things that a library does for him:
//
//   std::vector<int>::push_back    library
//   Pool::put                      the user's: `jobs.push_back(x)`, so the memory is `this->jobs`
//   worker                         the user's, and the outermost: the thread is `worker`
//   std::__invoke_impl             library
//   std::thread::_State_impl::_M_run
#pragma once
#include <optional>
#include <span>
#include <string>

#include "program/names/access_path.h"
#include "program/names/access_path_namer.h"
#include "race/access.h"

namespace heddle::race {

/// A function that a header of a library defines.
[[nodiscard]] bool is_library(const Program& program, FunctionId function);

/// What a person calls a function or the thread that it is: `lambda at pool.cpp:31`; empty: nothing better than its own
/// name.
[[nodiscard]] std::string person_name(const Program& program, FunctionId function);

/// The same for the thread whose stack this is (the access first, the entry last). An entry in a library stands for the
/// outermost function of the user's; empty as well if there is none.
[[nodiscard]] std::string thread_name_of(const Program& program, std::span<const CallStep> stack);

/// The first step that is not in a library; the first of all if there is none. The stack is not empty.
[[nodiscard]] CallStep user_step(const Program& program, std::span<const CallStep> stack);

class UserPaths {
 public:
  explicit UserPaths(const Program& program) : program_(program), namer_(program, paths_) {}

  /// What the user's code calls the object whose inside is accessed: what it called the library with. Empty if the
  /// access is the user's own, or no name is known.
  [[nodiscard]] std::string operator()(std::span<const CallStep> stack);

 private:
  [[nodiscard]] std::string name(FunctionId function, const Operand& argument, TypeId type);

  const Program& program_;
  AccessPathTable paths_;
  AccessPathNamer namer_;
};

}  // namespace heddle::race
