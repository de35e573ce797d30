// A volatile flag that is guarded by a lock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int ready;
static int data;

static void *producer(void *arg) {
    (void)arg;
    data = 1;  // NORACE: before the flag is set
    pthread_mutex_lock(&m);
    ready = 1;  // NORACE: under m -> separated(common-lock)
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *consumer(void *arg) {
    (void)arg;
    int seen = 0;
    while (!seen) {
        sched_yield();
        pthread_mutex_lock(&m);
        seen = ready;  // NORACE: under m
        pthread_mutex_unlock(&m);
    }
    seen = data;  // NORACE: the flag was set after the write
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return data != 1;  // NORACE: after both joins
}
