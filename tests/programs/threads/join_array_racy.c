// Joins in a loop over an array of handles, but the total is read before the loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

#define THREADS 4

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    total++;  // RACE! t1: main reads without the lock
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t[THREADS];
    int result;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    result = total;  // RACE! t1: no thread is joined yet
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    return result != THREADS;
}
