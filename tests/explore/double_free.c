// Frees memory twice.
// EXPECT: unknown: free of memory that is not allocated
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

char *volatile p;
static void *worker(void *a) {
    free(p);
    return 0;
}

int main() {
    p = malloc(8);
    free(p);
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
