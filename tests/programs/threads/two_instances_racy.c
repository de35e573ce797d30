// Two instances of one thread entry.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int counter;

static void *worker(void *arg) {
    (void)arg;
    counter++;  // RACE! c1: races with itself in the second instance
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_t b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter == 0;  // NORACE: after the join
}
