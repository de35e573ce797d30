// A heap object allocated and freed by each thread for itself.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *arg) {
    (void)arg;
    int *scratch = malloc(sizeof *scratch);
    *scratch = 3;  // NORACE: an object of this thread
    free(scratch);  // NORACE: an object of this thread
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
