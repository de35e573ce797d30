// Threads started by a wrapper around pthread_create; the wrapper is called for two writers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int left, right;

static pthread_t start(void *(*entry)(void *), int *target) {
    pthread_t t;
    pthread_create(&t, NULL, entry, target);
    return t;
}

static void *writer(void *arg) {
    *(int *)arg = 1;  // RACE! l1: both threads got &left
    return NULL;
}

int main(void) {
    pthread_t a = start(writer, &left);
    pthread_t b = start(writer, &left);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return left + right == 0;  // NORACE: after both joins
}
