// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The destructor of an exception runs where its handler ends: two threads write x.
#include <thread>
int x;
struct E {
  ~E() { x++; }
};
void f() {
  try {
    throw E();
  } catch (...) {
  }
}
int main() {
  std::thread a(f), b(f);
  a.join();
  b.join();
}
