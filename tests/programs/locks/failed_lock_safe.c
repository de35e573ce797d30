// A lock call that may fail; the access happens only when it returned 0.
// UNDECIDED: robust mutexes are not treated
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_mutex_t m;
static int counter;

static void *dies_with_lock(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    return NULL;
}

static void *worker(void *arg) {
    (void)arg;
    int status = pthread_mutex_lock(&m);
    if (status == 0)
        counter++;  // NORACE: m is held when the call returned 0
    if (status == 0)
        pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_mutexattr_t attr;
    pthread_t a, b;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &attr);
    pthread_create(&a, NULL, dies_with_lock, NULL);
    pthread_join(a, NULL);
    pthread_mutex_lock(&m);  // EOWNERDEAD: held, but never made consistent
    pthread_mutex_unlock(&m);  // from now on the mutex cannot be locked
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
