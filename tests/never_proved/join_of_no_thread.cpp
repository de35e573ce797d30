// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// join and detach of a std::thread that stands for no thread throw.
#include <thread>
int x;
void f() {
  std::thread t, u([] {});
  u.join();
  try {
    t.detach();
  } catch (...) {
    try {
      u.join();
    } catch (...) {
      x++;
    }
  }
}
int main() {
  std::thread a(f), b(f);
  a.join();
  b.join();
}
