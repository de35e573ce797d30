// A once-function that was called before is not called again: what it acquires was not acquired here.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

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
    pthread_mutex_lock(&l1);
    pthread_once(&done, set_up);
    data++;  // RACE! d1: holds l1, and did not take l2
    pthread_mutex_unlock(&l1);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    pthread_mutex_lock(&l2);
    pthread_mutex_lock(&l1);
    pthread_mutex_unlock(&l1);
    usleep(2000);
    data++;  // RACE! d1: holds l2
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
