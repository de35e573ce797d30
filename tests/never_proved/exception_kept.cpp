// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Another thread gives up the last reference to an exception, whose destructor then writes x.
#include <exception>
#include <thread>
int x;
struct E {
  ~E() { x++; }
};
std::exception_ptr kept;
void keep() {
  try {
    throw E();
  } catch (...) {
    kept = std::current_exception();
  }
}
int main() {
  std::thread a(keep);
  a.join();
  std::thread b([] { kept = nullptr; });
  x = 2;
  b.join();
}
