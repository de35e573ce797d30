// The same mutex for all threads, although it is declared inside the function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int counter;

static void *worker(void *arg) {
    (void)arg;
    static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&shared);
    counter++;  // NORACE: both threads lock it
    pthread_mutex_unlock(&shared);
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
