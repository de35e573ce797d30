// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of two threads that join one at the same time one fails at once.
#include <pthread.h>
int x;
pthread_t handle;
static void* joiner(void* a) {
  pthread_join(handle, 0);
  return a;
}
static void* worker(void* a) {
  x = 1;
  return a;
}
int main(void) {
  pthread_t t;
  pthread_t u;
  pthread_create(&handle, 0, worker, 0);
  pthread_create(&u, 0, joiner, 0);
  t = handle;
  pthread_join(t, 0);
  x = 2;
  return 0;
}
