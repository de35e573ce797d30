// Condition variable used well: the flag is set under the lock after the data were written.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, data;

static void *producer(void *arg) {
    (void)arg;
    data = 42;  // NORACE: before ready is set
    pthread_mutex_lock(&m);
    ready = 1;  // NORACE: under m
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *consumer(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    while (!ready)  // NORACE: under m
        pthread_cond_wait(&changed, &m);
    pthread_mutex_unlock(&m);
    int seen = data;  // NORACE: data were written before ready was set
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
