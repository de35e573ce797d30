// Writes to a pipe that nobody reads.
// EXPECT: unknown: Broken pipe
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

int p[2];
static void *worker(void *a) {
    write(p[1], "x", 1);
    return 0;
}

int main() {
    pthread_t thread;
    pipe(p);
    close(p[0]);
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
