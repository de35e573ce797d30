// A detached thread; main waits for its result by sleeping.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int result, finished;

static void *worker(void *arg) {
    (void)arg;
    result = 5;  // RACE! r1: main only sleeps
    pthread_mutex_lock(&m);
    finished = 1;  // NORACE: under m
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    int seen;
    pthread_create(&t, NULL, worker, NULL);
    pthread_detach(t);
    usleep(20000);
    seen = result;  // RACE! r1: time is no synchronisation
    pthread_mutex_lock(&m);
    while (!finished)  // NORACE: under m
        pthread_cond_wait(&changed, &m);
    pthread_mutex_unlock(&m);
    return seen != 5;
}
