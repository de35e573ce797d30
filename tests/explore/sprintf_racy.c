// A text of a length that nobody says goes where another thread writes.
// EXPECT: unknown: a library call may touch memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdio.h>

char b[16];
static void *worker(void *a) {
    sprintf(b, "%d", 5);
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    b[0] = 1;
    pthread_join(thread, 0);
    return 0;
}
