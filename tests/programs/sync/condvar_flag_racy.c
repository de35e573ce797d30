// Condition variable whose flag is set without the lock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *producer(void *arg) {
    (void)arg;
    ready = 1;  // RACE! r1: no lock here
    pthread_cond_signal(&changed);
    return NULL;
}

static void *consumer(void *arg) {
    (void)arg;
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec++;
    pthread_mutex_lock(&m);
    if (!ready)  // RACE! r1: the writer holds no lock
        pthread_cond_timedwait(&changed, &m, &soon);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return ready != 1;  // NORACE: after both joins
}
