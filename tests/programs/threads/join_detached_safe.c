// A thread is joined; in the racy program it was detached before, and the join fails at once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static int x;

static void *work(void *arg) {
    x = 1;  // NORACE: joined
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    x = 2;  // NORACE: joined
    usleep(5000);
    return 0;
}
