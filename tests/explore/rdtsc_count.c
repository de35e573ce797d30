// Depends on the processor's own clock.
// EXPECT: unknown: the processor's own clock
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#ifdef __x86_64__
#include <x86intrin.h>
static unsigned long long ticks(void) { return __rdtsc(); }
#else
static unsigned long long ticks(void) {
    unsigned long long now;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(now));
    return now;
}
#endif

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared, y;
static void *worker(void *a) {
    pthread_mutex_lock(&mutex);
    shared++;
    pthread_mutex_unlock(&mutex);
    int n = ticks() / 64 % 4;
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
