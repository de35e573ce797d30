// A helper ends the thread only for negative numbers; the code behind it is reached.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int counter;

static void finish(int code) {
    if (code < 0)
        pthread_exit(NULL);
    (void)code;
}

static void *worker(void *arg) {
    (void)arg;
    finish(1);
    counter++;  // RACE! c1: finish returned
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter == 1;  // NORACE: after both joins
}
