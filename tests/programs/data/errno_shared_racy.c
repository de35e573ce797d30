// A thread writes the errno of another, which the library sets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static int *theirs;

static void *worker(void *arg) {
    (void)arg;
    *theirs = 0;  // RACE! e1: of the main thread
    return NULL;
}

int main(void) {
    pthread_t t;
    theirs = &errno;
    pthread_create(&t, NULL, worker, NULL);
    strtol("99999999999999999999999", NULL, 10);  // RACE! e1: sets errno
    pthread_join(t, NULL);
    return 0;
}
