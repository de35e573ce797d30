// volatile is not synchronisation: neither the flag nor the data are safe.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int ready;
static int data;

static void *producer(void *arg) {
    (void)arg;
    data = 1;  // RACE! d1: the flag orders nothing
    ready = 1;  // RACE! r1: volatile only
    return NULL;
}

static void *consumer(void *arg) {
    (void)arg;
    int seen = 0;
    while (!seen) {
        sched_yield();
        seen = ready;  // RACE! r1: volatile only
    }
    seen = data;  // RACE! d1: the flag orders nothing
    (void)&m;
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
