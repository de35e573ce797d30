// Was proved: the distance of two variables added to the address of one was held to stay within that one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdint.h>

static int base, counter;
static uintptr_t distance;

static void *worker(void *arg) {
    (void)arg;
    *(int *)((uintptr_t)&base + distance) = 1;  // RACE! c1: the counter
    return NULL;
}

int main(void) {
    pthread_t t;
    distance = (uintptr_t)&counter - (uintptr_t)&base;
    pthread_create(&t, NULL, worker, NULL);
    counter = 3;  // RACE! c1: the worker gets there by the distance
    pthread_join(t, NULL);
    return 0;
}
