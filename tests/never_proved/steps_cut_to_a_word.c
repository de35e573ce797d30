// A multiple of 24 in 128 bits is none in 64.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

static struct {
    long x, y, z;
} a[10];

static void *writes(void *arg) {
    unsigned __int128 n = strtoul(getenv("N"), NULL, 10);
    *(long *)((char *)a + (unsigned long)(n * 24)) = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, writes, NULL);
    a[0].y = 2;
    pthread_join(t, NULL);
    return 0;
}
