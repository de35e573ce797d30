// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `heddle check --run`: the program of the scan as an executable with hooks, and runs of it that look for suspected
// races (explore/hunt/hunt.h). All of them go to one worker process. One that dies costs what it was doing: what it had
// found is kept, and another one goes on with the rest.
//
//   const auto hunt = NativeHunt::prepare({.arguments = {"-n", "3"}}, [&](const auto& folder) { …build it there… });
//   hunt->look_for(pairs, stop)
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/stop.h"
#include "host/work_folder.h"
#include "judge/run/run_judge.h"
#include "project/native/build_instrumented.h"

namespace heddle::pipeline {

struct HuntOptions {
  std::string called;                  ///< the name by which the program is started; empty: none was given
  std::vector<std::string> arguments;  ///< of the program
  std::string standard_input = "/dev/null";
  std::uint32_t seconds = 60;  ///< of all runs
};

class NativeHunt {
 public:
  using Build = std::function<Result<project::NativeProgram>(const std::string& folder)>;
  /// Builds it in a folder that is gone with this. Errors are bad input (exit code 2).
  static Result<std::unique_ptr<NativeHunt>> prepare(HuntOptions options, const Build& build);

  /// What is not as the program's own build has it.
  [[nodiscard]] const std::vector<std::string>& notes() const { return program_.notes; }

  [[nodiscard]] judge::HuntReport look_for(const std::vector<judge::IdPair>& pairs, const Stop& stop) const;

 private:
  NativeHunt(HuntOptions options, std::string driver) : options_(std::move(options)), driver_(std::move(driver)) {}

  HuntOptions options_;
  std::string driver_;
  host::WorkFolder folder_{""};
  project::NativeProgram program_;
};

}  // namespace heddle::pipeline
