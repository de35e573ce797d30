// The end of a pipe's content orders, too.
// EXPECT: race-free
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static int p[2], shared;
static void *worker(void *a) {
    char c;
    if (read(p[0], &c, 1) == 0)
        shared = 2;
    return 0;
}

int main() {
    pthread_t thread;
    pipe(p);
    pthread_create(&thread, 0, worker, 0);
    shared = 1;
    close(p[1]);
    pthread_join(thread, 0);
    return 0;
}
