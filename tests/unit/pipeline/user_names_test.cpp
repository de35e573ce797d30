// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What people read of C++ programs: their own names and lines, not those of the library that does the work.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/contains.h"
#include "frontend/scratch_source.h"
#include "pipeline/scan.h"
#include "pipeline/verify.h"
#include "report/short_names.h"

namespace heddle::pipeline {
namespace HEDDLE_TEST_FILE {

constexpr const char* text = R"(#include <mutex>
#include <thread>
#include <vector>
struct Pool {
  std::vector<int> jobs;
  int done = 0;
  void put(int x) { jobs.push_back(x); }
};
Pool pool;
void worker(int n) { pool.put(n); }
struct Runner {
  void run() { pool.done = 2; }
};
int main() {
  Runner runner;
  std::thread a(worker, 3);
  std::thread b([] {
    pool.jobs.clear();
    pool.done++;
  });
  std::thread c(&Runner::run, &runner);
  a.join();
  b.join();
  c.join();
}
)";

std::vector<std::string> names_of(const std::vector<ReportThread>& threads) {
  std::vector<std::string> out;
  for (const ReportThread& thread : threads) out.push_back(report::thread_name(thread));
  std::ranges::sort(out);
  return out;
}

const ReportRace* race_on(const RaceReport& report, std::string_view variable) {
  const auto found = std::ranges::find(report.races, variable, &ReportRace::variable);
  return found == report.races.end() ? nullptr : &*found;
}

void check(const RaceReport& report) {
  const std::vector<std::string> threads = names_of(report.coverage.thread_list);
  for (const char* name : {"main", "worker", "lambda at unit.cpp:17"}) EXPECT_TRUE(contains(threads, name)) << name;
  const ReportRace* race = race_on(report, "this->jobs");
  if (race == nullptr) race = race_on(report, "pool.jobs");
  ASSERT_NE(race, nullptr);
  for (const ReportAccess& access : race->accesses) {
    EXPECT_TRUE(report::user_frame(access).file.ends_with("unit.cpp")) << report::user_frame(access).file;
    EXPECT_EQ(report::member_of(access.user_path), "jobs");
    const std::string thread = report::thread_name(access.threads.front());
    EXPECT_TRUE(thread == "worker" || thread == "lambda at unit.cpp:17") << thread;
    EXPECT_TRUE(access.threads.front().created.file.ends_with("unit.cpp")) << access.threads.front().created.file;
  }
  // Whatever member of the vector is touched, it is one variable to the user.
  for (const ReportRace& other : report.races) {
    const auto is_in_jobs = [](const ReportAccess& a) { return report::member_of(a.user_path) == "jobs"; };
    if (std::ranges::all_of(other.accesses, is_in_jobs)) EXPECT_EQ(other.group, race->group) << other.variable;
  }
}

TEST(UserNames, OfAScan) {
  const frontend::ScratchFolder folder;
  Input input;
  input.sources = {{folder.write("unit.cpp", text), {}}};
  const auto result = scan(input, {});
  ASSERT_TRUE(result.has_value()) << result.error().message;
  check(result->report);
  EXPECT_TRUE(contains(names_of(result->report.coverage.thread_list), "Runner::run"));
}

TEST(UserNames, OfVerify) {
  const frontend::ScratchFolder folder;
  Input input;
  input.sources = {{folder.write("unit.cpp", text), {}}};
  VerifyOptions options;
  options.search_budget = 0;
  const auto report = verify(input, options);
  ASSERT_TRUE(report.has_value()) << report.error().message;
  check(*report);
}

TEST(UserNames, VerifyKnowsTheUsualLock) {
  const frontend::ScratchFolder folder;
  Input input;
  input.sources = {{folder.write("unit.c", R"(#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int hits;
void *worker(void *a) {
  pthread_mutex_lock(&m);
  hits = 1;
  pthread_mutex_unlock(&m);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  return hits;
}
)"),
                    {}}};
  VerifyOptions options;
  options.search_budget = 0;
  const auto report = verify(input, options);
  ASSERT_TRUE(report.has_value()) << report.error().message;
  ASSERT_EQ(report->races.size(), 1U);
  ASSERT_TRUE(report->races[0].guard);
  EXPECT_EQ(report->races[0].guard->lock, "m");
  EXPECT_EQ(report->races[0].guard->holding, 1U);
  EXPECT_EQ(report->races[0].guard->accesses, 2U);
  ASSERT_EQ(report->races[0].guard->without.size(), 1U);
  EXPECT_EQ(report->races[0].guard->without[0].line, 13U);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::pipeline
