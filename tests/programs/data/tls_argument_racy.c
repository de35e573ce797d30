// A thread-local variable whose address another thread is given.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static __thread int count;
static __thread int other;

static void *worker(void *arg) {
    *(int *)arg = 1;  // RACE! k1: main's copy
    other = 1;        // NORACE: the worker's own
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, &count);
    count = 2;  // RACE! k1: main's copy, too
    other = 2;  // NORACE: main's own
    pthread_join(t, NULL);
    return 0;
}
