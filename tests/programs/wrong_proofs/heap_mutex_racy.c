// Was proved: each thread locks a mutex it has allocated for itself; the two mutexes were taken for one.
// CONFIRMED: the lock lies in the memory that is freed
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

static int counter;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_t *own = malloc(sizeof *own);
    pthread_mutex_init(own, NULL);
    pthread_mutex_lock(own);
    counter++;  // RACE! c1: nobody else knows this mutex
    pthread_mutex_unlock(own);
    free(own);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
