// A helper that always ends the thread; the code behind it is never reached.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int counter;

static void finish(int code) {
    pthread_exit(NULL);
    (void)code;
}

static void *worker(void *arg) {
    (void)arg;
    finish(1);
    counter++;  // NORACE: finish never returns
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
