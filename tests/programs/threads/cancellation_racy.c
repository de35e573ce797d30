// Cancellation: the cleanup handler unlocks first and writes then.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void cleanup(void *arg) {
    (void)arg;
    pthread_mutex_unlock(&m);
    counter++;  // RACE! c1: m is released already
}

static void *sleeper(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    pthread_cleanup_push(cleanup, NULL);
    for (;;)
        usleep(1000);
    pthread_cleanup_pop(0);
    return NULL;
}

static void *other(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    counter++;  // RACE! c1: the handler does not hold m
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, sleeper, NULL);
    usleep(10000);
    pthread_create(&b, NULL, other, NULL);
    pthread_cancel(a);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter == 0;  // NORACE: after both joins
}
