// An address is not 0, whatever its lowest byte is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdint.h>

static int counter;

static void *bump(void *arg) {
    (void)arg;
    counter++;  // NORACE: the only access while this thread runs
    return NULL;
}

static _Alignas(256) int place;

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, bump, NULL);
    if ((uintptr_t)&place == 0)
        counter = 2;  // NORACE: no variable lies at 0
    pthread_join(t, NULL);
    return 0;
}
