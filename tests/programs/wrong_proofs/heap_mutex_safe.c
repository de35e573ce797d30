// A mutex from the heap that both threads get from main.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

static int counter;

static void *worker(void *arg) {
    pthread_mutex_t *shared = arg;
    pthread_mutex_lock(shared);
    counter++;  // NORACE: both lock what main has allocated -> separated(common-lock)
    pthread_mutex_unlock(shared);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_mutex_t *shared = malloc(sizeof *shared);
    pthread_mutex_init(shared, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, shared);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    free(shared);
    return 0;
}
