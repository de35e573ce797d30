// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function in .fini_array runs while a detached thread does.
#include <pthread.h>
int x;
static void* worker(void* a) {
  x = 1;
  return a;
}
static void last(void) { x = 3; }
__attribute__((section(".fini_array"), used)) static void (*entry)(void) = last;
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_detach(t);
  return 0;
}
