// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that the program puts into .init_array by itself starts a thread before main.
#include <pthread.h>
int x;
pthread_t t;
static void* worker(void* a) {
  x = 1;
  return a;
}
static void start(void) { pthread_create(&t, 0, worker, 0); }
__attribute__((section(".init_array"), used)) static void (*entry)(void) = start;
int main(void) {
  x = 2;
  pthread_join(t, 0);
  return 0;
}
