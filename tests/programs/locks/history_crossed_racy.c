// Locks that are not nested: l1 is given up and taken again, so l2 was taken before it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t l1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t l2 = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *one(void *arg) {
    (void)arg;
    pthread_mutex_lock(&gate);
    pthread_mutex_lock(&l1);
    pthread_mutex_lock(&l2);
    pthread_mutex_unlock(&gate);
    pthread_mutex_unlock(&l1);
    pthread_mutex_unlock(&l2);
    usleep(20000);
    pthread_mutex_lock(&l1);
    data++;  // RACE! d1: holds l1, which it took after l2
    pthread_mutex_unlock(&l1);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    usleep(10000);
    pthread_mutex_lock(&gate);
    pthread_mutex_lock(&l2);
    pthread_mutex_lock(&l1);
    pthread_mutex_unlock(&gate);
    pthread_mutex_unlock(&l1);
    usleep(10000);
    data++;  // RACE! d1: holds l2, released l1
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
