// A million times an int is less than three thousand million millions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdint.h>

static int counter;

static void *bump(void *arg) {
    (void)arg;
    counter++;  // NORACE: the only access while this thread runs
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t t;
    int blocks = argc + 1000000;
    int64_t bytes = 0;
    if (argc < 30)
        bytes = (int64_t)blocks * 1000000;
    pthread_create(&t, NULL, bump, NULL);
    if (bytes > 3000000000000000)
        counter = 2;  // NORACE: 2^31 times a million is less
    pthread_join(t, NULL);
    return 0;
}
