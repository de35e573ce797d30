// What a function does depends on a number that its callers pass.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

enum { OPEN = 3, CLOSE, LOOK };
static int opened;

static void control(int what) {
    switch (what) {
        case OPEN: opened++; break;   // NORACE: main only
        case CLOSE: opened--; break;  // NORACE: nobody passes CLOSE
        default: break;
    }
}

static void *worker(void *arg) {
    (void)arg;
    control(LOOK);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    control(OPEN);
    pthread_join(t, NULL);
    return 0;
}
