// Reader/writer lock: one writer with the write lock, readers with the read lock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *writer(void *arg) {
    (void)arg;
    pthread_rwlock_wrlock(&lock);
    value = 7;  // NORACE: write lock against read lock -> separated(common-lock)
    pthread_rwlock_unlock(&lock);
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    int seen;
    pthread_rwlock_rdlock(&lock);
    seen = value;  // NORACE: read lock against write lock
    pthread_rwlock_unlock(&lock);
    (void)seen;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return value != 7;  // NORACE: after both joins
}
