// A fresh object is written after its publication.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

struct message {
    int value;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct message *shared;

static void *publisher(void *arg) {
    (void)arg;
    struct message *fresh = malloc(sizeof *fresh);
    fresh->value = 1;  // NORACE: not published yet
    pthread_mutex_lock(&m);
    shared = fresh;  // NORACE: under m
    pthread_mutex_unlock(&m);
    fresh->value = 2;  // RACE! v1: the other thread may have it
    return NULL;
}

static void *consumer(void *arg) {
    (void)arg;
    struct message *got = NULL;
    while (got == NULL) {
        sched_yield();
        pthread_mutex_lock(&m);
        got = shared;  // NORACE: under m
        pthread_mutex_unlock(&m);
    }
    int seen = got->value;  // RACE! v1: the publisher still writes
    (void)seen;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, publisher, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
