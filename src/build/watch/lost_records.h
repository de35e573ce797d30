// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LostRecords: where the processes of a build say that they could not write what they did into the log
// (intercept/log_writer.h).
//
//   LostRecords lost;
//   …run the build with HEDDLE_LOST_VARIABLE=lost.name()…
//   lost.why(log)      "No space left on device (make room there)"; empty: nothing is missing
#pragma once
#include <string>

namespace heddle::build {

class LostRecords {
 public:
  LostRecords();
  ~LostRecords();
  LostRecords(const LostRecords&) = delete;
  LostRecords& operator=(const LostRecords&) = delete;

  /// Empty: there is no such socket to be had; then the mode of the log has to do.
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::string why(const std::string& log) const;

 private:
  std::string name_;
  int socket_ = -1;
};

}  // namespace heddle::build
