// Elements 2^32 bytes apart; neither points to the counter.
// NOT-RUNNABLE: needs eight gigabytes of address space
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

static int counter;

static void *bump(void *arg) {
    (void)arg;
    counter++;  // NORACE: the only access while this thread runs
    return NULL;
}

static int own, other;

struct huge {
    int *target;
    char padding[0xfffffff8];
};

int main(int argc, char **argv) {
    (void)argv;
    pthread_t t;
    struct huge *table = malloc(2 * sizeof *table);
    if (table == NULL || argc < 0 || argc > 1)
        return other;
    table[0].target = &own;
    table[1].target = &own;
    table[argc].target = &other;
    pthread_create(&t, NULL, bump, NULL);
    *table[1].target = 3;  // NORACE: own or other, both main's
    pthread_join(t, NULL);
    return 0;
}
