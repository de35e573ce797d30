// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pthread_exit unwinds the stack in C++ (glibc, forced unwind): ~D writes g, races with main.
#include <pthread.h>
int g;
struct D {
  ~D() { g = 1; }
};
void* w(void* x) {
  D d;
  pthread_exit(0);
}
int main() {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  g = 2;
  return 0;
}
