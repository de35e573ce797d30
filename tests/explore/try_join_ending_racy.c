// A thread that has done the last that others can see may still run.
// EXPECT: unknown: clocks saw a race that no replay reached
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>

static atomic_int told;
static int counter;

static void *count(void *a) {
    told = 1;
    counter++;
    return a;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, count, 0);
    while (!told)
        ;
    if (pthread_tryjoin_np(thread, 0))
        counter++;
    return 0;
}
