// A thread-local variable whose address another thread is given, which is waited for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static __thread int count;
static __thread int other;

static void *worker(void *arg) {
    *(int *)arg = 1;  // NORACE: main waits
    other = 1;        // NORACE: the worker's own
    return NULL;
}

int main(void) {
    pthread_t t;
    count = 3;  // NORACE: before the worker
    pthread_create(&t, NULL, worker, &count);
    other = 2;  // NORACE: main's own
    pthread_join(t, NULL);
    count = 2;  // NORACE: the worker has ended
    return 0;
}
