// A thread that may be ended at any instruction, and waits for a lock.
// EXPECT: unknown: pthread_cancel of a thread with PTHREAD_CANCEL_ASYNCHRONOUS
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <semaphore.h>

static sem_t ready;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
    sem_post(&ready);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}

int main() {
    pthread_t thread;
    sem_init(&ready, 0, 0);
    pthread_mutex_lock(&m);
    pthread_create(&thread, 0, worker, 0);
    sem_wait(&ready);
    pthread_cancel(thread);
    pthread_mutex_unlock(&m);
    pthread_join(thread, 0);
    return 0;
}
