// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Without the synchronisation with C's streams, two threads that use std::cout race.
#include <iostream>
#include <thread>
void f() { std::cout << 1; }
int main() {
  std::ios::sync_with_stdio(false);
  std::thread a(f), b(f);
  a.join();
  b.join();
}
