// Threads created in a loop, all of them are joined.
// Decided by running it; statically: joins inside and after a loop are not added up
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    total++;  // NORACE: main reads after all joins
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t[3];
    int result;
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    pthread_join(t[2], NULL);
    result = total;  // NORACE: all threads are joined
    return result == 0;
}
