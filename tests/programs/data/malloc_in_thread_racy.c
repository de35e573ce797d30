// A heap object allocated once behind a shared pointer, used by every thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

static int *scratch;

static void *worker(void *arg) {
    (void)arg;
    *scratch = 3;  // RACE! s1: one object for both threads
    return NULL;
}

int main(void) {
    pthread_t a, b;
    scratch = malloc(sizeof *scratch);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
