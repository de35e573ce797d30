// A thread created in a loop and joined one iteration later: neighbours overlap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int counter;

static void *worker(void *arg) {
    (void)arg;
    counter++;  // RACE! c1: the instance of the last iteration may still run
    return NULL;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++) {
        pthread_create(&t[i], NULL, worker, NULL);
        if (i > 0)
            pthread_join(t[i - 1], NULL);
    }
    pthread_join(t[2], NULL);
    return counter == 0;  // RACE c1: known false alarm, joins one iteration later are not added up
}
