// The address of a thread-local variable is taken, but stays in its thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static _Thread_local int mine;

static void bump(int *target) {
    (*target)++;  // NORACE: the caller's own copy
}

static void *worker(void *arg) {
    (void)arg;
    bump(&mine);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    mine++;  // NORACE: only main has this copy
    pthread_join(t, NULL);
    return mine == 0;  // NORACE: after the join
}
