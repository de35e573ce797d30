// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stable name of an access: the same in every stage, in an instrumented program, in the next run and after edits
// elsewhere.
//
//   4a5f…90:src/ring.c:41:12:write:0     function hash, file:line:column, kind, ordinal
//
// The ordinal counts the accesses of one kind at one place within the function, in instruction order (`a[i] = a[i+1]`
// in a macro, code inlined twice). Functions with equal bodies are told apart by their place.
#pragma once
#include <string>
#include <vector>

#include "program/model/program.h"
#include "program/names/access_site.h"

namespace heddle {

/// Of the first site of the instruction, which must be an access.
std::string stable_access_name(const Program& program, FunctionId function, std::size_t instruction);

/// Of all sites of the function, in the order of access_sites(). Linear, so prefer it for more than a few.
std::vector<std::string> stable_access_names(const Program& program, FunctionId function);

}  // namespace heddle
