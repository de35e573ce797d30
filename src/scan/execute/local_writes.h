// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LocalWrites: which blocks may write to a local whose address is taken. What was stored there before a loop is not
// known inside if the loop, or anything behind it, writes those bytes.
//
//   std::unique_lock l(m); while (!ready) c.wait(l);       l._M_device is &m in the loop as well: neither wait()
//                                                          nor unlock() write it
//
// Whoever gets to know the local may write it at any time: without the assumption `stable-paths`, whatever may make its
// address known counts as a write.
//
// Only addresses made by casts and constant offsets are followed; a call may write what the callee's summary or model
// says, and everything if there is neither. One walk over the function, and none if it has no loop.
#pragma once
#include <cstdint>
#include <vector>

#include "scan/summary/function_body.h"
#include "scan/summary/function_summary.h"
#include "scan/summary/scan_input.h"

namespace heddle::scan {

class LocalWrites {
 public:
  LocalWrites(const ScanInput& input, const std::vector<FunctionSummary>& summaries, const FunctionBody& body);

  /// Whether the block of this rank, or one behind it, may write the pointer there. `local`: value of the alloca.
  [[nodiscard]] bool is_written_from(std::uint32_t rank, std::uint32_t local, std::int32_t offset) const;

 private:
  /// A byte of a local, as far as it is known which.
  struct Spot {
    std::uint32_t local = nowhere;
    std::int32_t offset = 0;
    bool is_exact = true;
    static constexpr std::uint32_t nowhere = ~0U;
  };
  struct LocalWrite {
    std::uint32_t local = 0;  ///< value of the alloca
    std::uint32_t rank = 0;   ///< of the block
    ByteRange bytes;
  };
  void visit(std::uint32_t rank, std::uint32_t instruction, std::vector<Spot>& spots);
  void write(Spot to, std::uint32_t rank, const ByteRange& bytes);
  [[nodiscard]] ByteRange written_by(const Instruction& call, std::size_t operand) const;

  const ScanInput& in_;
  const std::vector<FunctionSummary>& summaries_;
  const FunctionBody& body_;
  std::vector<LocalWrite> writes_;  ///< sorted by local
};

}  // namespace heddle::scan
