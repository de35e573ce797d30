// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// likewisein C++: a new once_flag is constructed in the old place.
#include <mutex>
#include <thread>
int g;
std::once_flag o;
void init() { g++; }
int main() {
  std::call_once(o, init);
  new (&o) std::once_flag;
  std::thread t([] { std::call_once(o, init); });
  int r = g;
  t.join();
  return r;
}
