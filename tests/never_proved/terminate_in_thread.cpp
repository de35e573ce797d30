// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What leaves a thread, or a function that must not throw, calls the handler of std::terminate.
#include <cstdlib>
#include <exception>
#include <thread>
int x;
void handler() {
  x = 1;
  std::_Exit(1);
}
void quiet() noexcept { throw 1; }
int main() {
  std::set_terminate(handler);
  std::thread t(quiet);
  x = 2;
  t.join();
}
