// An address compared with itself, not with a part of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdint.h>

static int counter;

static void *bump(void *arg) {
    (void)arg;
    counter++;  // NORACE: the only access while this thread runs
    return NULL;
}

static int place;

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, bump, NULL);
    if ((uintptr_t)&place != (uintptr_t)&place)
        counter = 2;  // NORACE: both are the whole address
    pthread_join(t, NULL);
    return 0;
}
