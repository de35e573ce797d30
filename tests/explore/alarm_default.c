// Asks for a signal after a while.
// EXPECT: unknown: a timer sends signals
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

int shared;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *a) {
    for (int i = 0; i < 6; ++i) {
        pthread_mutex_lock(&mutex);
        shared++;
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main() {
    pthread_t thread;
    alarm(1);
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    return 0;
}
