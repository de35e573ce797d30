// A handler of quick_exit.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

int shared;
static void q(void) {
    shared = 1;
}

static void *worker(void *a) {
    shared = 2;
    return 0;
}

int main() {
    pthread_t thread;
    at_quick_exit(q);
    pthread_create(&thread, 0, worker, 0);
    quick_exit(0);
}
