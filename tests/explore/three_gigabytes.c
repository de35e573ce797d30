// Asks for three gigabytes at once, which a real run may get.
// EXPECT: unknown: a thread allocates gigabytes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

char *p;
int shared;
static void *worker(void *a) {
    if (p)
        shared = 1;
    return 0;
}

int main() {
    p = malloc(3ul << 30);
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    shared = 2;
    pthread_join(thread, 0);
    return 0;
}
