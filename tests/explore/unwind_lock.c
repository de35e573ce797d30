// Threads that end by pthread_exit out of a function.
// EXPECT: race-free
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

int shared;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void g(void) {
    pthread_mutex_lock(&mutex);
    shared++;
    pthread_mutex_unlock(&mutex);
    pthread_exit(0);
}

static void *worker(void *a) {
    g();
    return 0;
}

int main() {
    pthread_t thread, k;
    pthread_create(&thread, 0, worker, 0);
    pthread_create(&k, 0, worker, 0);
    pthread_join(thread, 0);
    pthread_join(k, 0);
    return 0;
}
