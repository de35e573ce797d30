// RELAY, Figure 10: a thread is started once, and its starter waits until it says that it runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <semaphore.h>

static int state;
static sem_t startup;

static void *sync_thread(void *arg) {
    (void)arg;
    state = 1;  // NORACE: main waits, and starts no other
    sem_post(&startup);
    return NULL;
}

static int start_sync_thread(void) {
    pthread_t t;
    if (state == 1) return -17;  // NORACE: the thread was not started, or has said that it runs
    while (pthread_create(&t, NULL, sync_thread, NULL) != 0) {
    }
    sem_wait(&startup);
    return 0;
}

int main(void) {
    sem_init(&startup, 0, 0);
    start_sync_thread();
    start_sync_thread();
    return 0;
}
