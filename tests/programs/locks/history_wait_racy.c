// A condition wait gives its lock back: what was taken before the wait says nothing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t l1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t l2 = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int data;

static void *one(void *arg) {
    (void)arg;
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    pthread_mutex_lock(&l1);
    pthread_mutex_lock(&l2);
    pthread_mutex_unlock(&l2);
    soon.tv_sec += 1;
    pthread_cond_timedwait(&never, &l1, &soon);
    data++;  // RACE! d1: holds l1 since the wait
    pthread_mutex_unlock(&l1);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    usleep(500000);
    pthread_mutex_lock(&l2);
    if (pthread_mutex_trylock(&l1) == 0) {
        pthread_mutex_unlock(&l1);
        usleep(600000);
        data++;  // RACE! d1: holds l2, released l1 while the other waited
    }
    pthread_mutex_unlock(&l2);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return data < 0;  // NORACE: after both joins
}
