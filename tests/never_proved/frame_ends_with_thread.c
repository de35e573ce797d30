// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pthread_exit ends the frames of a thread whose variable another one reads.
#include <pthread.h>
int x;
static void* reader(void* a) {
  x = *(int*)a;
  return 0;
}
static void* worker(void* a) {
  int local = 5;
  pthread_t t;
  pthread_create(&t, 0, reader, &local);
  pthread_detach(t);
  pthread_exit(a);
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  return 0;
}
