// Threads started by a wrapper around pthread_create; each writes data of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int left, right;

static pthread_t start(void *(*entry)(void *), int *target) {
    pthread_t t;
    pthread_create(&t, NULL, entry, target);
    return t;
}

static void *writer(void *arg) {
    *(int *)arg = 1;  // NORACE: each thread got its own variable
    return NULL;
}

int main(void) {
    pthread_t a = start(writer, &left);
    pthread_t b = start(writer, &right);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return left + right == 0;  // NORACE: after both joins
}
