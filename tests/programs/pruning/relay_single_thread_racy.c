// RELAY, Figure 10: a thread is started once, but its starter does not wait for it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <semaphore.h>

static int state;
static sem_t startup;

static void *sync_thread(void *arg) {
    (void)arg;
    state = 1;  // RACE! s1: main looks again, and starts another
    sem_post(&startup);
    return NULL;
}

static int start_sync_thread(void) {
    pthread_t t;
    if (state == 1) return -17;  // RACE! s1: the thread writes
    while (pthread_create(&t, NULL, sync_thread, NULL) != 0) {
    }
    return 0;
}

int main(void) {
    sem_init(&startup, 0, 0);
    start_sync_thread();
    start_sync_thread();
    return 0;
}
