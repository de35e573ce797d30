// Locks passed through void *: each thread gets another one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m2 = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *worker(void *arg) {
    pthread_mutex_t *m = arg;
    pthread_mutex_lock(m);
    counter++;  // RACE! c1: m1 in one thread, m2 in the other
    pthread_mutex_unlock(m);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, &m1);
    pthread_create(&b, NULL, worker, &m2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter != 2;  // NORACE: after both joins
}
