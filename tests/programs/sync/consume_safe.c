// What is reached through a pointer that was read with memory_order_consume depends on it.
// UNDECIDED: order by dependence is not used as a proof
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct item {
    int value;
};

static _Atomic(struct item *) published;

static void *giver(void *arg) {
    (void)arg;
    struct item *item = malloc(sizeof *item);
    item->value = 1;  // NORACE: before the release
    atomic_store_explicit(&published, item, memory_order_release);
    return NULL;
}

static void *taker(void *arg) {
    (void)arg;
    struct item *item = atomic_load_explicit(&published, memory_order_consume);
    if (item != NULL)
        item->value = 2;  // NORACE: depends on the pointer
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, giver, NULL);
    pthread_create(&b, NULL, taker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
