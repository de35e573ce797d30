// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread uses an array of a loop's body that main has left.
#include <pthread.h>

static void *worker(void *arg) {
  ++*(int *)arg;
  return 0;
}

int main(int count, char **arguments) {
  pthread_t t;
  (void)arguments;
  for (;;) {
    int x[count];
    x[0] = 0;
    pthread_create(&t, 0, worker, x);
    break;
  }
  pthread_join(t, 0);
  return 0;
}
