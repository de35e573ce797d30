// A thread waits for the end of main.
// EXPECT: race-free
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

int shared;
pthread_t me;
static void *worker(void *a) {
    pthread_join(me, 0);
    shared = 2;
    return 0;
}

int main() {
    me = pthread_self();
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    shared = 1;
    pthread_exit(0);
}
