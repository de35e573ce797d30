// Reader/writer lock: the reader forgets the lock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *writer(void *arg) {
    (void)arg;
    pthread_rwlock_wrlock(&lock);
    value = 7;  // RACE! v1: the reader holds nothing
    pthread_rwlock_unlock(&lock);
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    int seen;
    seen = value;  // RACE! v1: no lock here
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
