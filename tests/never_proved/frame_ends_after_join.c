// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function waits for one of its two threads, and returns while the other may use its local variable.
#include <pthread.h>
static int *shared;
static pthread_t first, second;
static void *reader(void *unused) {
  return *(volatile int *)shared == 1 ? unused : 0;
}
static void *nothing(void *unused) { return unused; }
static void start(void) {
  int local = 0;
  shared = &local;
  pthread_create(&first, 0, reader, 0);
  pthread_create(&second, 0, nothing, 0);
  pthread_join(second, 0);
}
int main(void) {
  start();
  return 0;
}
