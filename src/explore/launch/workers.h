// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Workers: several processes of one instrumented program, each under its driver, that do jobs one after the other
// (explore/work/work.h). They live as long as this; a worker that dies costs the job it had, and is started again when
// there is another one.
//
//   Workers workers(job, 2);
//   workers.run({job_bytes…}, stop, [&](std::size_t i, Result<std::string> answer) { … });
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop.h"
#include "explore/launch/launch.h"

namespace heddle::explore {

class Workers {
 public:
  Workers(LaunchJob job, unsigned most);
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers();

  /// Calls `done` for each job, in the order of their ends; an error says how its worker died. False: it was stopped,
  /// and jobs are missing. An error: no worker can be started.
  Result<bool> run(const std::vector<std::string>& jobs, const Stop& stop,
                   const std::function<void(std::size_t, Result<std::string>)>& done);
  /// From now on there is one worker at most.
  void keep_one();

 private:
  class Worker;

  Result<void> give_out(const std::vector<std::string>& jobs, std::size_t& next);

  LaunchJob job_;
  unsigned most_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace heddle::explore
