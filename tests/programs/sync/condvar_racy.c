// Condition variable: the data are written after the flag was set.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, data;

static void *producer(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    ready = 1;  // NORACE: under m
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
    data = 42;  // RACE! d1: the consumer may have seen ready
    return NULL;
}

static void *consumer(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    while (!ready)  // NORACE: under m
        pthread_cond_wait(&changed, &m);
    pthread_mutex_unlock(&m);
    int seen = data;  // RACE! d1: ready says nothing about data
    (void)seen;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return data != 42;  // NORACE: after both joins
}
