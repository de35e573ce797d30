// A long jump goes back to the place where an older value counts.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;
static int x;

static void *wait(void *unused) {
    jmp_buf place;
    volatile int n = 0;
    setjmp(place);
    atomic_load(&flag);
    if (n++ < 3) longjmp(place, 1);
    x = 1;
    return unused;
}

int main(void) {
    pthread_t h;
    pthread_create(&h, 0, wait, 0);
    x = 2;
    pthread_join(h, 0);
    return 0;
}
