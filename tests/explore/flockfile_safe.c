// The lock of a stream as a lock of the program.
// EXPECT: race-free
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdio.h>

int shared;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *a) {
    flockfile(stdout);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    shared++;
    funlockfile(stdout);
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    return 0;
}
