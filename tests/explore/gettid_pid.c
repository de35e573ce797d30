// Threads have numbers of their own.
// EXPECT: race-free
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

int a, b;
static void *worker(void *q) {
    b = gettid();
    return 0;
}

int main() {
    pthread_t thread;
    a = gettid();
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    if (a == b)
        *(int *)0 = 1;
    return 0;
}
