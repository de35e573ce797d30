// Waits for a condition in a loop that looks at the clock.
// EXPECT: race-free
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <time.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int shared, f;
static void *worker(void *a) {
    pthread_mutex_lock(&mutex);
    f = 1;
    shared = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_mutex_lock(&mutex);
    struct timespec s, n;
    clock_gettime(CLOCK_REALTIME, &s);
    s.tv_sec += 2;
    while (!f) {
        clock_gettime(CLOCK_REALTIME, &n);
        if (n.tv_sec >= s.tv_sec)
            break;
        pthread_cond_timedwait(&c, &mutex, &s);
    }
    if (f)
        shared = 2;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}
