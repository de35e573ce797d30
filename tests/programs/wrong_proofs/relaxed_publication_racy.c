// Was proved: an object published by a relaxed store was held to be complete for whoever sees its address.
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
        item = atomic_load_explicit(&published, memory_order_relaxed);
    while (item == NULL);
    item->value++;  // RACE! i1: nothing orders it after the first write
    return NULL;
}

int main(void) {
    pthread_t t;
    struct item *item = malloc(sizeof *item);
    pthread_create(&t, NULL, worker, NULL);
    item->value = 1;  // RACE! i1: the worker may see the address without this
    atomic_store_explicit(&published, item, memory_order_relaxed);
    pthread_join(t, NULL);
    return 0;
}
