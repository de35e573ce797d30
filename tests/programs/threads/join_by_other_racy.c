// A janitor thread joins the workers; main does not wait for the janitor.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_t workers[2];
static int results[2];

static void *worker(void *arg) {
    *(int *)arg = 1;  // RACE! r1: main may read at the same time
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
    sum = results[0] + results[1];  // RACE! r1: the janitor is not joined yet
    pthread_join(j, NULL);
    return sum != 2;
}
