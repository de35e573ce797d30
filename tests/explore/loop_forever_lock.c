// A loop without an end that takes a lock.
// EXPECT: unknown: cut at its limit
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

int shared, y;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *a) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        shared++;
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    return 0;
}
