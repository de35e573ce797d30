// Lists in slots with a lock each; main takes the lock of the next slot.
// NOT-RUNNABLE: __VERIFIER_ functions have no implementation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void assume_abort_if_not(int condition) {
    if (!condition)
        abort();
}

struct node {
    int value;
    struct node *next;
};

static pthread_mutex_t locks[4];
static struct node *slots[4];

static struct node *make(int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = NULL;
    return node;
}

static void add(struct node *list, struct node *node) {
    struct node *rest = list->next;
    list->next = node;  // RACE! next: with the lock of its slot
    node->next = rest;
}

static void *worker(void *arg) {
    (void)arg;
    int i = __VERIFIER_nondet_int();
    assume_abort_if_not(0 <= i && i < 4);
    pthread_mutex_lock(&locks[i]);
    add(slots[i], make(__VERIFIER_nondet_int()));
    pthread_mutex_unlock(&locks[i]);
    return NULL;
}

int main(void) {
    for (int i = 0; i < 4; i++) {
        pthread_mutex_init(&locks[i], NULL);
        slots[i] = make(i);
    }
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    int j = __VERIFIER_nondet_int();
    assume_abort_if_not(j >= 0);
    if (j < 4) {
        pthread_mutex_lock(&locks[(j + 1) % 4]);
        struct node *first = slots[j]->next;  // RACE! next: with the lock of another
        int value = first ? first->value : 0;
        pthread_mutex_unlock(&locks[(j + 1) % 4]);
        (void)value;
    }
    return 0;
}
