// The counter starts again when all threads have ended; what main uses it takes then.
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
        places[mine] = 1;  // NORACE: its own
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    next = 0;
    pthread_create(&t, NULL, worker, NULL);
    pthread_create(&u, NULL, worker, NULL);
    const int mine = take();
    if (mine >= 0)
        places[mine] = 2;  // NORACE: its own
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
