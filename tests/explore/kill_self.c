// Kills itself.
// EXPECT: unknown: the program was killed
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static void *worker(void *a) {
    kill(getpid(), SIGKILL);
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
