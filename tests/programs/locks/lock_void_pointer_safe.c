// A lock passed through void *, the same for both threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m2 = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *worker(void *arg) {
    pthread_mutex_t *m = arg;
    pthread_mutex_lock(m);
    counter++;  // NORACE: both threads got m1
    pthread_mutex_unlock(m);
    return NULL;
}

static pthread_mutex_t *unused = &m2;

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, &m1);
    pthread_create(&b, NULL, worker, &m1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter != 2 || unused == NULL;  // NORACE: after both joins
}
