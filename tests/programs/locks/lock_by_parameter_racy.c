// A helper takes the lock that it is given: two threads give it two.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, door = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void add(int n) {
    total += n;  // RACE! t1: under gate here, under door there
}

static void guarded(pthread_mutex_t *lock, int n) {
    pthread_mutex_lock(lock);
    add(n);
    pthread_mutex_unlock(lock);
}

static void *worker(void *arg) {
    (void)arg;
    guarded(&gate, 1);
    return NULL;
}

static void *other(void *arg) {
    (void)arg;
    guarded(&door, 2);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
