// A thread writes the errno of another, which waits for it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static int *theirs;

static void *worker(void *arg) {
    (void)arg;
    *theirs = 0;  // NORACE: main waits
    return NULL;
}

int main(void) {
    pthread_t t;
    theirs = &errno;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    strtol("99999999999999999999999", NULL, 10);  // NORACE: the thread has ended
    return 0;
}
