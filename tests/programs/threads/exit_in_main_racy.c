// pthread_exit in main: the other threads go on, and main wrote after it created them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int config;

static void *worker(void *arg) {
    (void)arg;
    int seen = config;  // RACE! k1: main may be writing
    usleep(5000);
    exit(seen < 0);
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    config = 3;  // RACE! k1: the worker runs already
    pthread_exit(NULL);
}
