// Was proved: errno was held to be private although its address had been stored where the worker reads it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <errno.h>
#include <pthread.h>

static int *window;

static void *worker(void *arg) {
    (void)arg;
    *window = 1;  // RACE! e1: main's errno
    return NULL;
}

int main(void) {
    pthread_t t;
    window = &errno;  // NORACE: before the create
    pthread_create(&t, NULL, worker, NULL);
    errno = 2;  // RACE! e1: the worker has its address
    pthread_join(t, NULL);
    return 0;
}
