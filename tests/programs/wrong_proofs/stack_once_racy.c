// Was proved: pthread_once with a control of each thread's own runs the function twice; it was taken for one control.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int counter;

static void count(void) {
    counter++;  // RACE! c1: runs once for each control, so in both threads
}

static void *worker(void *arg) {
    (void)arg;
    pthread_once_t own = PTHREAD_ONCE_INIT;
    pthread_once(&own, count);
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
