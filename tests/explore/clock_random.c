// How long it runs depends on a random number, the time used so far and the time of day.
// EXPECT: race-free
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

unsigned long v[4];
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared;
static void *worker(void *a) {
    pthread_mutex_lock(&mutex);
    shared++;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main() {
    getrandom(v, 8, 0);
    v[1] = clock();
    struct timespec s;
    timespec_get(&s, TIME_UTC);
    v[2] = s.tv_nsec;
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    for (unsigned i = 0; i < v[0] % 7; ++i)
        worker(0);
    pthread_join(thread, 0);
    return 0;
}
