// Pointers of an array that a loop fills all lead to x, the last one, too.
// NOT-RUNNABLE: needs N in its environment
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int x, y;
static struct {
    int *before;
    int *to[4];
    int *behind;
} ways = {.before = &y, .behind = &y};

static void *worker(void *arg) {
    *ways.to[3] = 1; // RACE! c1: the loop came there, too
    *ways.before = 1; // NORACE: main leaves y alone
    return arg;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 4; ++i)
        ways.to[i] = &x;
    pthread_create(&t, NULL, worker, NULL);
    x = 2; // RACE! c1: the worker has a pointer to it
    pthread_join(t, NULL);
    return 0;
}
