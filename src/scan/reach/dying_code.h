// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code from which a function cannot come back: all ways lead to the end of the program.
//
//   default: report(job); abort();        both calls: whatever `report` touches is touched by a program that dies
//
// Ends that others survive do not count: of the thread alone (pthread_exit), by unwinding, by longjmp. Nor does a
// function of which all ways end: that is what it is for, and its callers tell. One object a worker; answers are
// remembered.
#pragma once
#include <cstdint>
#include <vector>

#include "scan/summary/scan_input.h"

namespace heddle::scan {

class DyingCode {
 public:
  explicit DyingCode(const ScanInput& input) : in_(input), known_(input.program.functions.size()) {}

  [[nodiscard]] bool at(FunctionId function, std::uint32_t instruction);

 private:
  struct Blocks {
    bool is_known = false;
    std::vector<bool> dying;  ///< by block; empty: none is
  };
  enum class End : std::uint8_t { Other, Program, Survived };
  const std::vector<bool>& blocks(FunctionId function);
  [[nodiscard]] End end_of(const Function& function, const Block& block, int depth) const;
  [[nodiscard]] End end_by(FunctionId callee, int depth) const;

  const ScanInput& in_;
  std::vector<Blocks> known_;  ///< by function
};

}  // namespace heddle::scan
