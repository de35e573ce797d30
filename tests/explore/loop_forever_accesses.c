// A loop without an end that makes accesses.
// EXPECT: unknown: cut at its limit
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

int shared, y;
static void *worker(void *a) {
    for (;;)
        shared++;
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
