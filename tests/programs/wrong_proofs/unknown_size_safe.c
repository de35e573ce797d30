// Two elements of one block, whose size depends on the path.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *block;

static void *worker(void *arg) {
    (void)arg;
    block[5]++;  // NORACE: main writes the next element -> separated(other-bytes)
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
        p[6] = 1;  // NORACE: the worker changes the element before
        pthread_join(t, NULL);
    }
    return 0;
}
