// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function that a local variable belongs to returns while a thread uses it.
#include <pthread.h>
static void* worker(void* a) {
  *(int*)a = 1;
  return 0;
}
static pthread_t start(void) {
  int local = 0;
  pthread_t t;
  pthread_create(&t, 0, worker, &local);
  return t;
}
int main(void) {
  pthread_t t = start();
  pthread_join(t, 0);
  return 0;
}
