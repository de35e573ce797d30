// The index may leave the array that it is declared for and reach the pointer behind it. That is undefined in C, and
// programs do it all the same; verify does not rely on the bounds of members.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

static long x, y;
static struct {
    long a[4];
    long *p;
} s = {.p = &y};

static void *writes(void *arg) {
    *s.p = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    int i = atoi(getenv("N"));
    if (i >= 0 && i <= 4)
        s.a[i] = (long)&x;
    pthread_create(&t, NULL, writes, NULL);
    x = 2;
    pthread_join(t, NULL);
    return 0;
}
