// The address of a thread-local variable escapes to another thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static _Thread_local int mine;
static int *window;

static void bump(int *target) {
    (*target)++;  // RACE! m1: main's copy, from the worker
}

static void *worker(void *arg) {
    (void)arg;
    bump(window);
    return NULL;
}

int main(void) {
    pthread_t t;
    window = &mine;  // NORACE: before the create
    pthread_create(&t, NULL, worker, NULL);
    mine++;  // RACE! m1: the worker has its address
    pthread_join(t, NULL);
    return mine == 0;  // NORACE: after the join
}
