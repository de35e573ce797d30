// Was proved: after a write to one of two variables the value read earlier was still held to be the present one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int counter;

static void *bump(void *arg) {
    (void)arg;
    counter++;  // RACE! c1: main writes too
    return NULL;
}

static int first, second, third;

static void *idle(void *arg) {
    (void)arg;
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t t;
    pthread_create(&t, NULL, idle, NULL);
    int before = first;
    pthread_join(t, NULL);
    int *target = argc < 30 ? &first : &second;
    *target = 7;
    pthread_create(&t, NULL, bump, NULL);
    if (before != first)
        counter = 2;  // RACE! c1: 0 before, 7 now
    pthread_join(t, NULL);
    return third;
}
