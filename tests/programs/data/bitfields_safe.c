// Bitfields in separate storage units.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

struct flags {
    unsigned ready : 1;
    unsigned : 0;
    unsigned mode : 3;
};

static struct flags flags;

static void *one(void *arg) {
    (void)arg;
    flags.ready = 1;  // NORACE: a unit of its own
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    flags.mode = 5;  // NORACE: a unit of its own
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
