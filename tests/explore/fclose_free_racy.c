// The library frees memory while it holds its own locks.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdio.h>

int shared;
static void *worker(void *a) {
    FILE *f = fopen("/etc/passwd", "r");
    char b[64];
    fgets(b, 64, f);
    fclose(f);
    shared++;
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    return 0;
}
