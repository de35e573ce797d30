// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread uses a variable whose block main has left.
#include <pthread.h>

static void *worker(void *arg) {
  ++*(int *)arg;
  return 0;
}

int main(void) {
  pthread_t t;
  {
    int x = 0;
    pthread_create(&t, 0, worker, &x);
    goto out;
  }
out:
  pthread_join(t, 0);
  return 0;
}
