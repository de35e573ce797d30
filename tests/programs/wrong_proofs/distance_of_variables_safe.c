// A distance within one array.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdint.h>

static int table[4];
static uintptr_t distance;

static void *worker(void *arg) {
    (void)arg;
    *(int *)((uintptr_t)&table[0] + distance) = 1;  // NORACE: element 3 -> separated(other-bytes)
    return NULL;
}

int main(void) {
    pthread_t t;
    distance = (uintptr_t)&table[3] - (uintptr_t)&table[0];
    pthread_create(&t, NULL, worker, NULL);
    table[2] = 3;  // NORACE: the worker writes element 3
    pthread_join(t, NULL);
    return 0;
}
