// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/worker_processes.h"

#include <gtest/gtest.h>

#include <csignal>
#include <map>
#include <stdexcept>

namespace heddle::host {
namespace HEDDLE_TEST_FILE {

/// Answers by job, `!` before why there is none.
std::map<std::size_t, std::string> answers(std::size_t jobs, const std::function<std::string(std::size_t)>& work) {
  std::map<std::size_t, std::string> out;
  ProcessOptions options;
  options.processes = 3;
  const auto done = run_in_processes(jobs, options, work, [&](std::size_t job, const JobAnswer& answer) {
    out[job] = answer.death.empty() ? answer.text : "!" + answer.death;
  });
  EXPECT_TRUE(done.has_value() && *done);
  return out;
}

TEST(WorkerProcesses, AnswerEveryJob) {
  const auto all = answers(20, [](std::size_t job) { return std::string(job, 'x'); });
  ASSERT_EQ(all.size(), 20U);
  for (const auto& [job, text] : all) EXPECT_EQ(text, std::string(job, 'x'));
}

TEST(WorkerProcesses, AnExceptionCostsOneJob) {
  const auto all = answers(40, [](std::size_t job) -> std::string {
    if (job % 10 == 3) throw std::logic_error("odd");
    return "fine";
  });
  ASSERT_EQ(all.size(), 40U);
  for (const auto& [job, text] : all) EXPECT_EQ(text, job % 10 == 3 ? "!met a bug of heddle's: odd" : "fine") << job;
}

TEST(WorkerProcesses, ADeathCostsOneJob) {
  const auto all = answers(40, [](std::size_t job) -> std::string {
    if (job % 10 == 3) std::raise(SIGKILL);
    return "fine";
  });
  ASSERT_EQ(all.size(), 40U);
  for (const auto& [job, text] : all)
    EXPECT_TRUE(job % 10 == 3 ? text.starts_with("!was killed by signal 9") : text == "fine") << job << text;
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::host
