// A cancelled thread that never comes to a cancellation point.
// EXPECT: unknown: an execution was cut at its limit
// OPTIONS: --steps=12
// SECONDS: 90
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static void *worker(void *unused) {
    for (volatile int local = 0;; local++)
        ;
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_cancel(thread);
    pthread_join(thread, 0);
    return 0;
}
