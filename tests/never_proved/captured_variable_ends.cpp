// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lambda captures a variable by reference, and its thread is joined outside of the variable's block.
#include <thread>

int main() {
  std::thread t;
  {
    int x = 0;
    t = std::thread([&] { x++; });
  }
  t.join();
}
