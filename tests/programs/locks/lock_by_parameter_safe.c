// A helper takes the lock that it is given, and calls who writes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void add(int n) {
    total += n;  // NORACE: under gate, by the name of a parameter
}

static void guarded(pthread_mutex_t *lock, int n) {
    pthread_mutex_lock(lock);
    add(n);
    pthread_mutex_unlock(lock);
}

static void *worker(void *arg) {
    guarded(&gate, arg != NULL);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, &total);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
