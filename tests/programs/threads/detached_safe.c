// A detached thread; main waits for its result with a condition variable.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int result, finished;

static void *worker(void *arg) {
    (void)arg;
    result = 5;  // NORACE: before finished is set under m
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
    pthread_mutex_lock(&m);
    while (!finished)  // NORACE: under m
        pthread_cond_wait(&changed, &m);
    pthread_mutex_unlock(&m);
    seen = result;  // NORACE: finished was set after the write
    return seen != 5;
}
