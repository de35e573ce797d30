// RCU-like publication: a new version is complete before the pointer to it is stored.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

struct version {
    int value;
};

static _Atomic(struct version *) current;

static void *updater(void *arg) {
    (void)arg;
    struct version *fresh = malloc(sizeof *fresh);
    fresh->value = 1;  // NORACE: not published yet
    atomic_store_explicit(&current, fresh, memory_order_release);
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    struct version *seen;
    while ((seen = atomic_load_explicit(&current, memory_order_acquire)) == NULL)
        sched_yield();
    int value = seen->value;  // NORACE: complete before the publication
    (void)value;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, updater, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
