// Lock-free stack: push by compare-and-swap, the consumer takes all by an exchange.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static _Atomic(struct node *) top;

static void *producer(void *arg) {
    (void)arg;
    struct node *n = malloc(sizeof *n);
    n->value = 1;  // NORACE: not pushed yet
    n->next = atomic_load(&top);
    while (!atomic_compare_exchange_weak(&top, &n->next, n))
        continue;
    return NULL;
}

static void *consumer(void *arg) {
    (void)arg;
    struct node *all;
    while ((all = atomic_exchange(&top, NULL)) == NULL)
        sched_yield();
    int seen = all->value;  // NORACE: written before the push -> separated(other-bytes)
    (void)seen;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
