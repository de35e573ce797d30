// Joins in a loop over an array of handles, then the total is read.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

#define THREADS 4

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    total++;  // NORACE: under m, main reads after the joins -> separated(common-lock)
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t[THREADS];
    int result;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    result = total;  // NORACE: every thread is joined
    return result != THREADS;
}
