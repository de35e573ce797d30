// Neighbouring bitfields share a memory location.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

struct flags {
    unsigned ready : 1;
    unsigned mode : 3;
};

static struct flags flags;

static void *one(void *arg) {
    (void)arg;
    flags.ready = 1;  // RACE! b1: rewrites the unit of mode
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    flags.mode = 5;  // RACE! b1: rewrites the unit of ready
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return flags.ready == 0 && flags.mode == 0;  // NORACE: after both joins
}
