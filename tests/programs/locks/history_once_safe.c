// What a once-function would acquire is acquired here by a call of its own, so the orders of the two locks cross.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;  // so that it cannot deadlock
static pthread_mutex_t l1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t l2 = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t done = PTHREAD_ONCE_INIT;
static int data;

static void set_up(void) {
    pthread_mutex_lock(&l2);
    pthread_mutex_unlock(&l2);
}

static void *one(void *arg) {
    (void)arg;
    usleep(1000);
    pthread_mutex_lock(&gate);
    pthread_mutex_lock(&l1);
    set_up();
    pthread_mutex_unlock(&gate);
    data++;  // NORACE: holds l1 and took l2 since -> refuted(history)
    pthread_mutex_unlock(&l1);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    pthread_mutex_lock(&gate);
    pthread_mutex_lock(&l2);
    pthread_mutex_lock(&l1);
    pthread_mutex_unlock(&l1);
    pthread_mutex_unlock(&gate);
    usleep(2000);
    data++;  // NORACE: holds l2 and took l1 since
    pthread_mutex_unlock(&l2);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_once(&done, set_up);
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return data < 0;  // NORACE: after both joins
}
