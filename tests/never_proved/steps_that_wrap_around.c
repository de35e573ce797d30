// 24 times an unsigned number is a multiple of 24 only as long as it does not wrap around: 24 * 768614336404564651 is 8
// in 64 bits, so the thread may write a[0].y.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

static struct {
    long x, y, z;
} a[10];

static void *writes(void *arg) {
    unsigned long n = strtoul(getenv("N"), NULL, 10);
    *(long *)((char *)a + 24UL * n) = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, writes, NULL);
    a[0].y = 2;
    pthread_join(t, NULL);
    return 0;
}
