// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The handler of std::terminate runs where an exception leaves a function that must not throw; nothing is unwound.
#include <cstdio>
#include <cstdlib>
#include <exception>
struct Loud {
  ~Loud() { std::printf("unwound\n"); }
};
static void handler() {
  std::printf("handler\n");
  std::fflush(stdout);
  std::_Exit(3);
}
static void thrower() {
  Loud loud;
  throw 1;
}
static void quiet() noexcept { thrower(); }
int main() {
  std::set_terminate(handler);
  try {
    thrower();
  } catch (int i) {
    std::printf("caught %d\n", i);
  }
  std::atexit([] { std::printf("never\n"); });
  quiet();
}
