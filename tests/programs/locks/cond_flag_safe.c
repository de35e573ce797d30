// Conditional locking, correlated branches: lock if the flag is set, access if the flag is set.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void update(int shared) {
    int local = 0;
    if (shared)
        pthread_mutex_lock(&m);
    if (shared)
        counter++;  // NORACE: under the same condition as the lock
    else
        local++;
    if (shared)
        pthread_mutex_unlock(&m);
    (void)local;
}

static void *thread_a(void *arg) {
    (void)arg;
    update(1);
    return NULL;
}

static void *thread_b(void *arg) {
    (void)arg;
    update(0);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, thread_a, NULL);
    pthread_create(&b, NULL, thread_b, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter == 0;  // NORACE: after both joins
}
