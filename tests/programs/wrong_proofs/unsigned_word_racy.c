// Was proved: an unsigned int above three billion was held to be impossible once it was widened to 64 bits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static int counter;

static void *bump(void *arg) {
    (void)arg;
    counter++;  // RACE! c1: main writes too
    return NULL;
}

int main(void) {
    pthread_t t;
    unsigned size = 0;
    sscanf("4000000000", "%u", &size);
    uint64_t total = size;
    pthread_create(&t, NULL, bump, NULL);
    if (total > 3000000000u)
        counter = 2;  // RACE! c1: size is four billion
    pthread_join(t, NULL);
    return 0;
}
