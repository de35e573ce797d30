// Rounds that differ by the signs of two numbers only.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;
static int x;

static void *wait(void *unused) {
    volatile double one = 1;
    double a = one, b = one;
    while (!atomic_load(&flag)) {
        if (a < 0) {
            x = 1;
            break;
        }
        a = -a;
        b = -b;
    }
    return b > 5 ? &x : unused;
}

int main(void) {
    pthread_t h;
    pthread_create(&h, 0, wait, 0);
    x = 2;
    pthread_join(h, 0);
    return 0;
}
