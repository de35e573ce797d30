// The value of the loop variable as the thread's argument.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static void *worker(void *arg) {
    int id = (int)(long)arg;  // NORACE: a value of its own
    (void)id;
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int j = 0; j < 2; j++)
        pthread_join(t[j], NULL);
    return 0;
}
