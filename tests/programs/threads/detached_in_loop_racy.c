// A loop starts threads of one kind and detaches each; another loop has one handle for two kinds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int served, first, second;

static void *serve(void *arg) {
    served++;  // RACE! s: the one before may still run
    return arg;
}

static void *one(void *arg) {
    first++;  // RACE! f: likewise
    return arg;
}

static void *other(void *arg) {
    second++;  // RACE! o: likewise
    return arg;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 3; i++) {
        pthread_create(&t, NULL, serve, NULL);
        pthread_detach(t);
    }
    for (int i = 0; i < 2; i++) {
        pthread_create(&t, NULL, one, NULL);
        pthread_create(&t, NULL, other, NULL);
    }
    return 0;
}
