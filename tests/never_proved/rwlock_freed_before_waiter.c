// A lock's memory is freed while a thread waits for it, whose holder never gives it back.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

static pthread_rwlock_t *lock;

static void *wait(void *unused) {
    pthread_rwlock_rdlock(lock);
    return unused;
}

int main(void) {
    pthread_t h;
    lock = malloc(sizeof *lock);
    if (!lock)
        return 1;
    pthread_rwlock_init(lock, 0);
    pthread_rwlock_wrlock(lock);
    pthread_create(&h, 0, wait, 0);
    free(lock);
    return 0;
}
