// A wide store covers the neighbour's byte.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdint.h>

static _Alignas(8) unsigned char bytes[8];

static void *one(void *arg) {
    (void)arg;
    *(uint16_t *)(void *)bytes = 0x0101;  // RACE! b1: covers bytes[0] and bytes[1]
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    bytes[1] = 1;  // RACE! b1: the other store covers it
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return bytes[1] != 1;  // NORACE: after both joins
}
