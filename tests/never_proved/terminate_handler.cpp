// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An exception that nobody catches calls the handler of std::terminate. No frame is unwound, so nobody joins the thread.
#include <cstdlib>
#include <exception>
#include <thread>
int x;
void handler() {
  x = 1;
  std::_Exit(1);
}
struct Joiner {
  std::thread t;
  ~Joiner() { t.join(); }
};
int main() {
  std::set_terminate(handler);
  Joiner j{std::thread([] { x = 2; })};
  throw 1;
}
