// An object published by a release store and found by an acquire load.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct item {
    int value;
};

static struct item *_Atomic published;

static void *worker(void *arg) {
    (void)arg;
    struct item *item;
    do
        item = atomic_load_explicit(&published, memory_order_acquire);
    while (item == NULL);
    item->value++;  // NORACE: the acquire load has read the release store
    return NULL;
}

int main(void) {
    pthread_t t;
    struct item *item = malloc(sizeof *item);
    pthread_create(&t, NULL, worker, NULL);
    item->value = 1;  // NORACE: before the release store
    atomic_store_explicit(&published, item, memory_order_release);
    pthread_join(t, NULL);
    return 0;
}
