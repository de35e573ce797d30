// Writes to a null pointer.
// EXPECT: unknown: segmentation fault
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

int *volatile p;
int shared;
static void *worker(void *a) {
    *p = 1;
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
