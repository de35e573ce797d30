// A race in front of a crash.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

int *volatile p;
int shared;
static void *worker(void *a) {
    shared = 1;
    *p = 1;
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    shared = 2;
    pthread_join(thread, 0);
    return 0;
}
