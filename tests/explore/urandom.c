// Reads random numbers from a device.
// EXPECT: unknown
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdio.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared;
static void *worker(void *a) {
    pthread_mutex_lock(&mutex);
    shared++;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main() {
    unsigned char c = 0;
    FILE *f = fopen("/dev/urandom", "r");
    fread(&c, 1, 1, f);
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    for (unsigned i = 0; i < c % 7; ++i)
        worker(0);
    pthread_join(thread, 0);
    return 0;
}
