// A switch case with a shared access that nobody selects.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int shared, mine[2];

static void handle(int kind) {
    switch (kind) {
    case 0:
    case 1:
        mine[kind]++;  // NORACE: one thread each -> separated(other-bytes)
        break;
    default:
        shared++;  // NORACE: nobody passes another kind
        break;
    }
}

static void *one(void *arg) {
    (void)arg;
    handle(0);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    handle(1);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return mine[0] + mine[1] != 2 || shared < 0;  // NORACE: after both joins
}
