// A fresh heap object for each thread, allocated in the loop that creates them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *arg) {
    int *mine = arg;
    *mine = 1;  // NORACE: every thread got its own object -> separated(own-object)
    return NULL;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++) {
        int *object = malloc(sizeof *object);
        pthread_create(&t[i], NULL, worker, object);
    }
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
