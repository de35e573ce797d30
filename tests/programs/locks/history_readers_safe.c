// A lock held for reading keeps out who takes it for writing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static pthread_rwlock_t l1 = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t l2 = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *one(void *arg) {
    (void)arg;
    pthread_rwlock_rdlock(&l1);
    pthread_mutex_lock(&l2);
    pthread_mutex_unlock(&l2);
    data++;  // NORACE: holds l1, and took l2 since -> refuted(history)
    pthread_rwlock_unlock(&l1);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    pthread_mutex_lock(&l2);
    if (pthread_rwlock_trywrlock(&l1) == 0) {
        pthread_rwlock_unlock(&l1);
        data++;  // NORACE: holds l2, and took l1 since -> refuted(history)
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
