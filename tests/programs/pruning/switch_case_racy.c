// A switch case with a shared access that one caller selects in two threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int shared, mine[2];

static void handle(int kind) {
    switch (kind) {
    case 0:
    case 1:
        mine[kind]++;  // NORACE: one thread each
        break;
    default:
        shared++;  // RACE! s1: kind 2 in both threads
        break;
    }
}

static void *one(void *arg) {
    (void)arg;
    handle(0);
    handle(2);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    handle(1);
    handle(2);
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
