// Makes a copy of itself.
// EXPECT: unknown: fork
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static void *worker(void *a) {
    if (fork() == 0)
        _exit(0);
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
