// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread that joins itself is told so.
#include <pthread.h>
int x;
static void* worker(void* a) {
  if (pthread_join(pthread_self(), 0) != 0) x++;
  return a;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, worker, 0);
  pthread_create(&u, 0, worker, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
