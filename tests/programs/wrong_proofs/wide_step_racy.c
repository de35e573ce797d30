// Was proved: a step of 2^32 bytes between elements was kept in 32 bits and became 0, so only element 0 was written.
// NOT-RUNNABLE: needs eight gigabytes of address space
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

static int counter;

static void *bump(void *arg) {
    (void)arg;
    counter++;  // RACE! c1: main writes too
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
    table[argc].target = &counter;
    pthread_create(&t, NULL, bump, NULL);
    *table[1].target = 3;  // RACE! c1: element 1 when started without arguments
    pthread_join(t, NULL);
    return 0;
}
