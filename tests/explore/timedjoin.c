// Waits for the end of a thread, but not for ever.
// EXPECT: race-free
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

int shared;
static void *worker(void *a) {
    shared = 1;
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    struct timespec s = {2000000000, 0};
    if (pthread_timedjoin_np(thread, 0, &s) == 0)
        shared = 2;
    else
        pthread_detach(thread);
    return 0;
}
