// Was proved: the lower 32 bits of an address were taken for the whole address.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdint.h>

static int counter;

static void *bump(void *arg) {
    (void)arg;
    counter++;  // RACE! c1: main writes too
    return NULL;
}

static int place;

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, bump, NULL);
    if ((uint32_t)(uintptr_t)&place != (uintptr_t)&place)
        counter = 2;  // RACE! c1: an address has more than 32 bits here
    pthread_join(t, NULL);
    return 0;
}
