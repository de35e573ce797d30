// A loop without an end, in which nothing happens.
// EXPECT: unknown: a thread runs on
// SECONDS: 40
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static void *worker(void *a) {
    for (;;)
        __asm__ volatile("");
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
