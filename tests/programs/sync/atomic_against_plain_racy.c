// An atomic builtin on one side, a plain access on the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int counter;

static void *one(void *arg) {
    (void)arg;
    __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);  // RACE! c1: the other side is plain
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    counter++;  // RACE! c1: a plain access
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter == 0;  // NORACE: after both joins
}
