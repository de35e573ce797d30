// The variable that is compared is not among those that may be written.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int counter;

static void *bump(void *arg) {
    (void)arg;
    counter++;  // NORACE: the only access while this thread runs
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
    int *target = argc < 30 ? &second : &third;
    *target = 7;
    pthread_create(&t, NULL, bump, NULL);
    if (before != first)
        counter = 2;  // NORACE: nobody writes first
    pthread_join(t, NULL);
    return third == 7;
}
