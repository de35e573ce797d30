// Allocates forty gigabytes.
// EXPECT: unknown: a thread allocates gigabytes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

char *p[40];
static void *worker(void *a) {
    for (int i = 0; i < 40; ++i) {
        p[i] = malloc(1ul << 30);
        if (!p[i])
            abort();
        p[i][5] = 1;
    }
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
