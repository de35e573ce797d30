// pthread_once with one control for all threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int counter;

static void count(void) {
    counter++;  // NORACE: runs once in the whole program
}

static void *worker(void *arg) {
    (void)arg;
    static pthread_once_t shared = PTHREAD_ONCE_INIT;
    pthread_once(&shared, count);
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
