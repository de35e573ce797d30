// A clean-up handler that pthread_exit runs.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

int shared;
static void d(void *v) {
    shared = 1;
}

static void *worker(void *a) {
    pthread_cleanup_push(d, 0);
    pthread_exit(0);
    pthread_cleanup_pop(0);
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    shared = 2;
    pthread_join(thread, 0);
    return 0;
}
