// Elements of an array dealt out with a stride: even and odd ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int data[8];

static void *fill(void *arg) {
    long start = (long)arg;
    for (long i = start; i < 8; i += 2)
        data[i]++;  // NORACE: one thread even, the other odd elements
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, fill, (void *)0);
    pthread_create(&b, NULL, fill, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return data[0] != 1;  // NORACE: after both joins
}
