// Was proved: ten times a signed char was held to fit a signed char where two paths meet.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdio.h>

static int counter;

static void *bump(void *arg) {
    (void)arg;
    counter++;  // RACE! c1: main writes too
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
    if (distance > 200)
        counter = 2;  // RACE! c1: distance is 510 when started without arguments
    pthread_join(t, NULL);
    return 0;
}
