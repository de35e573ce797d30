// A janitor thread joins the workers, main joins the janitor.
// Decided by running it; statically: joins of a loop's threads by another thread than their creator are not used
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_t workers[2];
static int results[2];

static void *worker(void *arg) {
    *(int *)arg = 1;  // NORACE: main reads after the janitor joined this thread
    return NULL;
}

static void *janitor(void *arg) {
    (void)arg;
    pthread_join(workers[0], NULL);
    pthread_join(workers[1], NULL);
    return NULL;
}

int main(void) {
    pthread_t j;
    int sum;
    for (int i = 0; i < 2; i++)
        pthread_create(&workers[i], NULL, worker, &results[i]);
    pthread_create(&j, NULL, janitor, NULL);
    pthread_join(j, NULL);
    sum = results[0] + results[1];  // NORACE: the janitor has joined the workers
    return sum != 2;
}
