// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The name of an access: the same in every stage and in an instrumented program, as long as the sources stay what they
// are.
//
//   ring_put@src/ring.c:41:12:write:0          function, file:line:column, kind, ordinal
//   ring_put@src/ring.c:44:3:call-read:0       what the library function called there does
//
// The ordinal counts the accesses of one kind at one place within the function, in instruction order (`a[i] = a[i+1]`
// in a macro). Nothing in it depends on machine types or on numbers of instructions, so the same sources compiled for
// another target, or another unit's copy of an inline function, give the same names. It is no name for a race: an edit
// above it moves its line (race/race_id.h survives that).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "program/model/program.h"
#include "program/names/access_site.h"

namespace heddle {

/// Of the access of that kind which the instruction makes; an instruction that makes none, and is no call, is a bug of
/// the caller. Update and Write ask for the same one.
std::string access_name(const Program& program, FunctionId function, std::size_t instruction, AccessKind kind);

/// Of all sites of the function, in the order of access_sites(). Linear, so prefer it for more than a few.
std::vector<std::string> access_names(const Program& program, FunctionId function);

/// What access_name() gives for the calls of one function and what the called library functions touch. Linear, however
/// many are asked for.
class CallNames {
 public:
  CallNames(const Program& program, FunctionId function);
  [[nodiscard]] std::string of(std::size_t call, AccessKind kind) const;

 private:
  const Program& program_;
  const Function& function_;
  std::vector<std::uint32_t> ordinals_;  ///< by instruction, of calls
};

/// A name as a number: the value of race::AccessId, and what the hooks of an instrumented program hand over.
std::uint64_t access_number(std::string_view name);

}  // namespace heddle
