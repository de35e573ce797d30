// A goto that skips the access for one mode only; the other mode is used.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int counter;

static void step(int mode) {
    if (mode == 0)
        goto out;
    counter++;  // RACE! c1: reached with mode 1
out:
    return;
}

static void *worker(void *arg) {
    (void)arg;
    step(1);
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
