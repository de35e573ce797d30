// Threads created in a loop, only the last one is joined.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    total++;  // RACE! t1: main reads without the lock
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t[3];
    int result;
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    pthread_join(t[2], NULL);
    result = total;  // RACE! t1: t[0] and t[1] may still run
    usleep(5000);
    return result == 0;
}
