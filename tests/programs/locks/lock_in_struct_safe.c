// A lock in a heap object guards its neighbour fields.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t m;
    int balance;
};

static struct account *savings, *giro;

static void deposit(struct account *locked, struct account *target) {
    pthread_mutex_lock(&locked->m);
    target->balance++;  // NORACE: the target's own lock is held -> separated(common-lock)
    pthread_mutex_unlock(&locked->m);
}

static void *one(void *arg) {
    (void)arg;
    deposit(savings, savings);
    deposit(giro, giro);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    deposit(savings, savings);
    return NULL;
}

static struct account *open_account(void) {
    struct account *fresh = malloc(sizeof *fresh);
    pthread_mutex_init(&fresh->m, NULL);
    fresh->balance = 0;  // NORACE: before the threads start
    return fresh;
}

int main(void) {
    pthread_t a, b;
    savings = open_account();
    giro = open_account();
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return savings->balance != 2;  // NORACE: after both joins
}
