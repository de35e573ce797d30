// A thread with a larger stack than threads get here.
// EXPECT: unknown: a larger stack
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <string.h>

static int f(char *b) {
    return b[5];
}

static void *worker(void *a) {
    char b[32 << 20];
    memset(b, 1, sizeof b);
    return (void *)(long)f(b);
}

int main() {
    pthread_attr_t at;
    pthread_attr_init(&at);
    pthread_attr_setstacksize(&at, 64 << 20);
    pthread_t thread;
    pthread_create(&thread, &at, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
