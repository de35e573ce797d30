// Each product is small enough, but their sum may wrap around: then it is no multiple of 24 any more.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

static struct {
    long x, y, z;
} a[10];

static unsigned long given(const char *name) { return strtoul(getenv(name), NULL, 10); }

static void *writes(void *arg) {
    unsigned long n = given("N"), m = given("M");
    if (n > 700000000000000000UL || m > 700000000000000000UL) return arg;
    *(long *)((char *)a + (24UL * n + 24UL * m)) = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, writes, NULL);
    a[0].y = 2;
    pthread_join(t, NULL);
    return 0;
}
