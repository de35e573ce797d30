// Was proved: a block of unknown size got the small size of another path, so that access 5 was held to be impossible.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *block;

static void *worker(void *arg) {
    (void)arg;
    block[5]++;  // RACE! b1: main writes this element
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t t;
    unsigned size;
    if (argc > 30) {
        pthread_mutex_lock(&m);  // keeps this path apart from the other
        size = 4;
    } else {
        size = (unsigned)argc * 64;
    }
    int *p = malloc(size);
    if (size >= 32) {
        block = p;
        pthread_create(&t, NULL, worker, NULL);
        p[5] = 1;  // RACE! b1: the worker changes this element
        pthread_join(t, NULL);
    }
    return 0;
}
