// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread that was detached cannot be joined: the call fails at once.
#include <pthread.h>
int x;
static void* worker(void* a) {
  x = 1;
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_detach(t);
  pthread_join(t, 0);
  x = 2;
  return 0;
}
