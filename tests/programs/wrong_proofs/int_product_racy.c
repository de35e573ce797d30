// Was proved: a million times an int was held to fit an int where two paths meet.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdint.h>

static int counter;

static void *bump(void *arg) {
    (void)arg;
    counter++;  // RACE! c1: main writes too
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
    if (bytes > 0x1000000000)
        counter = 2;  // RACE! c1: about 10^12 when started without arguments
    pthread_join(t, NULL);
    return 0;
}
