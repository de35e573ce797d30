// A try-lock that succeeded counts as taken since.
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
    if (pthread_mutex_trylock(&l2) == 0) {
        pthread_mutex_unlock(&l2);
        pthread_mutex_unlock(&gate);
        data++;  // NORACE: holds l1, and took l2 since -> refuted(history)
    } else {
        pthread_mutex_unlock(&gate);
    }
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
    data++;  // NORACE: holds l2, and took l1 since -> refuted(history)
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
