// Joins by a counter of created threads.
// UNDECIDED: the number of created threads has two bounds and is lost
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

#define MOST 8

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    total++;  // NORACE: under m, main reads after the joins
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t t[MOST];
    int created = 0, result;
    while (created < MOST && created < argc + 1) {
        pthread_create(&t[created], NULL, worker, NULL);
        created++;
    }
    for (int i = 0; i < created; i++)
        pthread_join(t[i], NULL);
    result = total;  // NORACE: every created thread is joined
    return result == 0;
}
