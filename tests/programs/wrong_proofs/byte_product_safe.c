// Ten times a signed char is at most 1270.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdio.h>

static int counter;

static void *bump(void *arg) {
    (void)arg;
    counter++;  // NORACE: the only access while this thread runs
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t t;
    signed char step = 0;
    sscanf("51", "%hhd", &step);
    int distance = 0;
    if (argc < 30)
        distance = step * 10;
    pthread_create(&t, NULL, bump, NULL);
    if (distance > 1270)
        counter = 2;  // NORACE: ten times 127 is not above 1270
    pthread_join(t, NULL);
    return 0;
}
