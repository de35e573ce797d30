// pthread_exit in main: the other threads go on, main wrote before it created them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int config;

static void *worker(void *arg) {
    (void)arg;
    int seen = config;  // NORACE: only read once the threads run
    usleep(5000);
    exit(seen < 0);
}

int main(void) {
    pthread_t t;
    config = 3;  // NORACE: before the create
    pthread_create(&t, NULL, worker, NULL);
    pthread_exit(NULL);
}
