// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exception ends with the outer handler, behind the lock.
#include <mutex>
#include <thread>
int x;
std::mutex m;
struct E {
  ~E() { x++; }
};
void f() {
  try {
    std::lock_guard<std::mutex> guard(m);
    try {
      throw E();
    } catch (E&) {
      throw;
    }
  } catch (...) {
  }
}
int main() {
  std::thread a(f), b(f);
  a.join();
  b.join();
}
