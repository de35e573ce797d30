// C11 threads: the mutex is forgotten on one side.
// TSAN-MISSES: its runtime does not intercept thrd_create and mtx_lock
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stddef.h>
#include <threads.h>

static mtx_t m;
static int counter;

static int careful(void *arg) {
    (void)arg;
    mtx_lock(&m);
    counter++;  // RACE! c1: the other side holds no lock
    mtx_unlock(&m);
    return 0;
}

static int other(void *arg) {
    (void)arg;
    counter++;  // RACE! c1: no lock here
    return 0;
}

int main(void) {
    thrd_t a, b;
    mtx_init(&m, mtx_plain);
    thrd_create(&a, careful, NULL);
    thrd_create(&b, other, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    return counter != 2;  // NORACE: after both joins
}
