// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::scan {

struct StageCost {
  std::string stage;
  double processor_seconds = 0, elapsed_seconds = 0;
  std::uint64_t peak_bytes = 0;  ///< of the process, so far
};

/// What the stages between two calls of finish() take; those of one name are one.
class StageClock {
 public:
  explicit StageClock(std::vector<StageCost>& stages);
  void finish(const std::string& stage);

 private:
  std::vector<StageCost>& stages_;
  double processor_, elapsed_;
};

}  // namespace heddle::scan
