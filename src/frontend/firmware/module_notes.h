// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What only the syntax tree knew, written into the module: a module that is kept and read again must give the same
// Program.
#pragma once
#include <llvm/IR/Module.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heddle::frontend {

/// What the source calls the device registers of a unit, by address; empty: nothing. No other constant address is one,
/// unless it is accessed as volatile.
using RegisterNames = std::map<std::uint64_t, std::string>;

void note_registers(llvm::Module& module, const RegisterNames& names);
[[nodiscard]] RegisterNames noted_registers(const llvm::Module& module);

/// Assembly that clang refused and that is not in the module, as texts for people.
void note_refused(llvm::Module& module, const std::vector<std::string>& places);
[[nodiscard]] std::vector<std::string> noted_refused(const llvm::Module& module);

}  // namespace heddle::frontend
