// Reclamation without a hazard pointer: the reader announces nothing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared, hazard;

static void *reader(void *arg) {
    (void)arg;
    int *p;
    do {
        p = atomic_load(&shared);
    } while (p != atomic_load(&shared));
    int seen = *p;  // RACE! h1: the updater may free it
    (void)seen;
    return NULL;
}

static void *updater(void *arg) {
    (void)arg;
    int *fresh = malloc(sizeof *fresh);
    *fresh = 2;  // NORACE: not published yet
    int *old = atomic_exchange(&shared, fresh);
    while (atomic_load(&hazard) == old)
        sched_yield();
    free(old);  // RACE! h1: a silent reader may still have it
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int *first = malloc(sizeof *first);
    *first = 1;  // NORACE: before the threads start
    atomic_init(&shared, first);
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, updater, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
