// Timed lock: the access happens only when the lock was got in time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *holder(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    usleep(20000);
    counter++;  // NORACE: both sides hold m
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *waiter(void *arg) {
    (void)arg;
    struct timespec now;
    usleep(5000);
    clock_gettime(CLOCK_REALTIME, &now);
    int status = pthread_mutex_timedlock(&m, &now);
    if (status == 0)
        counter++;  // NORACE: m is held when the call returned 0
    if (status == 0)
        pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, holder, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter == 0;  // NORACE: after both joins
}
