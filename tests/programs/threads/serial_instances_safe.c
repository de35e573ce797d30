// A thread created and joined in every iteration: the instances never overlap.
// Decided by running it; statically: instances that a loop creates and joins one after the other are held to overlap
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int counter;

static void *worker(void *arg) {
    (void)arg;
    counter++;  // NORACE: one instance at a time
    return NULL;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++) {
        pthread_create(&t[i], NULL, worker, NULL);
        pthread_join(t[i], NULL);
    }
    return counter == 0;  // NORACE: every instance is joined
}
