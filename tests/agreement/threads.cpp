// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::thread, mutex, condition_variable, call_once, atomic: output does not depend on the schedule.
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>
int main() {
  std::mutex m;
  std::condition_variable c;
  int ready = 0, total = 0;
  std::once_flag once;
  std::atomic<int> hits{0};
  std::vector<std::thread> v;
  for (int i = 0; i < 4; i++)
    v.emplace_back([&, i] {
      std::call_once(once, [&] { hits += 100; });
      hits++;
      std::unique_lock<std::mutex> l(m);
      c.wait(l, [&] { return ready == i; });
      total = total * 10 + i;
      ready++;
      c.notify_all();
    });
  for (auto& t : v) t.join();
  std::printf("%d %d\n", total, hits.load());
  return 0;
}
