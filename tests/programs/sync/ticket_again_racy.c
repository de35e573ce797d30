// The counter starts again when all threads have ended, but main uses what it had taken before.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int next;
static int places[64];

static int take(void) {
    int mine = -1;
    pthread_mutex_lock(&m);
    if (next < 60) {
        mine = next;
        next += 1;
    }
    pthread_mutex_unlock(&m);
    return mine;
}

static void *worker(void *arg) {
    const int mine = take();
    if (mine >= 0)
        places[mine] = 1;  // RACE! p1: dealt out again
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, worker, NULL);
    const int mine = take();
    pthread_join(t, NULL);
    next = 0;
    pthread_create(&t, NULL, worker, NULL);
    pthread_create(&u, NULL, worker, NULL);
    if (mine >= 0)
        places[mine] = 2;  // RACE! p1: of the threads before
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
