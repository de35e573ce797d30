// Was proved: the lowest byte of an address was held to be never 0, which is true of the whole address only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdint.h>

static int counter;

static void *bump(void *arg) {
    (void)arg;
    counter++;  // RACE! c1: main writes too
    return NULL;
}

static _Alignas(256) int place;

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, bump, NULL);
    if ((unsigned char)(uintptr_t)&place == 0)
        counter = 2;  // RACE! c1: aligned to 256, so the byte is 0
    pthread_join(t, NULL);
    return 0;
}
