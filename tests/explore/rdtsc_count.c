// Depends on the processor's own clock.
// EXPECT: unknown: the processor's own clock
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <x86intrin.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared, y;
static void *worker(void *a) {
    pthread_mutex_lock(&mutex);
    shared++;
    pthread_mutex_unlock(&mutex);
    int n = __rdtsc() / 64 % 4;
    for (int i = 0; i < n; ++i) {
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
    pthread_join(thread, 0);
    return 0;
}
