// The thread is joined on one path only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int data;

static void *worker(void *arg) {
    (void)arg;
    data = 1;  // RACE! d1: not joined when there is no argument
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t t;
    int seen, joined = 0;
    pthread_create(&t, NULL, worker, NULL);
    if (argc > 1) {
        pthread_join(t, NULL);
        joined = 1;
    }
    seen = data;  // RACE! d1: the worker may still run
    if (!joined)
        pthread_join(t, NULL);
    return seen > 1;
}
