// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which registers of a frame count for what comes: values that matter (relevance.h) and may still be used. Others may
// hold anything; states that differ only in them are one.
#pragma once
#include <map>
#include <vector>

#include "depend/values/relevance.h"
#include "interpret/code/decoded.h"

namespace heddle::depend {

class LiveSlots {
 public:
  LiveSlots(const Program& program, const Relevance& relevance) : program_(program), relevance_(relevance) {}

  /// Relative to the frame, where it stands before the instruction.
  const std::vector<std::uint32_t>& at(FunctionId function, std::size_t instruction,
                                       const interpret::DecodedProgram& decoded);

 private:
  [[nodiscard]] std::vector<bool> live_before(FunctionId function, std::size_t instruction);

  const Program& program_;
  const Relevance& relevance_;
  std::map<FunctionId, flow::Cfg> cfgs_;
  std::map<std::pair<FunctionId, std::size_t>, std::vector<std::uint32_t>> known_;
};

}  // namespace heddle::depend
