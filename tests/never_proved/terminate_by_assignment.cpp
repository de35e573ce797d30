// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A std::thread that is assigned over a joinable one calls std::terminate.
#include <cstdlib>
#include <exception>
#include <thread>
int x;
void handler() {
  x = 1;
  std::_Exit(1);
}
int main() {
  std::set_terminate(handler);
  std::thread t([] { x = 2; });
  t = std::thread([] {});
  t.join();
}
