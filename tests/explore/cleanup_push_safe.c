// A clean-up handler that pthread_exit runs takes the lock.
// EXPECT: race-free
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

int shared;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void d(void *v) {
    pthread_mutex_lock(&mutex);
    shared = 1;
    pthread_mutex_unlock(&mutex);
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
    pthread_mutex_lock(&mutex);
    shared = 2;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}
