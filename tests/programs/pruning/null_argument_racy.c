// An optional counter behind a null test, given to both threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int counter;

static void *worker(void *arg) {
    int *optional = arg;
    if (optional != NULL)
        (*optional)++;  // RACE! c1: both threads got &counter
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, &counter);
    pthread_create(&b, NULL, worker, &counter);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter == 0;  // NORACE: after both joins
}
