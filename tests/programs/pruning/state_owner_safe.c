// Ownership by program logic: work without the lock only if the state became MINE.
// Decided by running it; statically: ownership by a state variable under a lock is not used as a proof yet
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

enum {
    IDLE,
    BUSY,
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int state = IDLE;
static int data;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    int mine = state == IDLE;  // NORACE: under m
    if (mine)
        state = BUSY;  // NORACE: under m
    pthread_mutex_unlock(&m);
    if (mine) {
        usleep(2000);
        data++;  // NORACE: the state was IDLE and is BUSY now
        pthread_mutex_lock(&m);
        state = IDLE;  // NORACE: under m
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return data == 0;  // NORACE: after both joins
}
