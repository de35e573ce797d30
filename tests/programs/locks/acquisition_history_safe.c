// Disjoint locksets, but each side took and released the other's lock after its own: they exclude each other.
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
    pthread_mutex_unlock(&l2);
    pthread_mutex_unlock(&gate);
    data++;  // NORACE: holds l1 and waited for l2 since -> refuted(history)
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
    data++;  // NORACE: holds l2 and waited for l1 since -> refuted(history)
    pthread_mutex_unlock(&l2);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return data != 2;  // NORACE: after both joins
}
