// Calls itself without an end, in a thread.
// EXPECT: unknown: a stack overflow
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

volatile int depth;
static int f(int n) {
    volatile char b[4096];
    b[0] = n;
    return f(n + 1) + b[0];
}

static void *worker(void *a) {
    depth = f(0);
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
