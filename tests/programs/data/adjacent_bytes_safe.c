// Neighbouring bytes of one word are separate memory locations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdint.h>

static _Alignas(8) unsigned char bytes[8];

static void *one(void *arg) {
    (void)arg;
    bytes[0] = 1;  // NORACE: only this byte -> separated(other-bytes)
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    bytes[1] = 1;  // NORACE: only this byte
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
