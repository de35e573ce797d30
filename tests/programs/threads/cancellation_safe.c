// Cancellation while the lock is held: the cleanup handler writes, then unlocks.
// UNDECIDED: cancellation and cleanup handlers are not treated
// TSAN-ALARMS: the unlock of a handler that a cancelled sleep runs is not seen
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void cleanup(void *arg) {
    (void)arg;
    counter++;  // NORACE: m is held when the handler runs
    pthread_mutex_unlock(&m);
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
    counter++;  // NORACE: under m
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
