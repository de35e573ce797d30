// The address of the loop variable as the thread's argument.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static void *worker(void *arg) {
    int id = *(int *)arg;  // RACE! i1: main goes on with the loop
    (void)id;
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)  // RACE! i1: the increment
        pthread_create(&t[i], NULL, worker, &i);
    for (int j = 0; j < 2; j++)  // RACE! i1: there is no i any more
        pthread_join(t[j], NULL);
    return 0;
}
