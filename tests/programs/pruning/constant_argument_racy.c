// What a function does depends on a number: two threads pass numbers that lead to one variable.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

enum { OPEN = 3, CLOSE, LOOK };
static int opened;

static void control(int what) {
    switch (what) {
        case OPEN: opened++; break;   // RACE! o1: main opens
        case CLOSE: opened--; break;  // RACE! o1: the thread closes
        default: break;
    }
}

static void *worker(void *arg) {
    (void)arg;
    control(CLOSE);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    control(OPEN);
    pthread_join(t, NULL);
    return 0;
}
