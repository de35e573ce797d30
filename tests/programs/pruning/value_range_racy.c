// A value range that just reaches the branch with the shared access.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int input;
static int counter;

static void *worker(void *arg) {
    (void)arg;
    int low_bits = input & 3;  // NORACE: written before the threads start
    if (low_bits > 2)
        counter++;  // RACE! c1: reached with 3
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t a, b;
    input = argc + 2;  // NORACE: before the threads start
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter == 1;  // NORACE: after both joins
}
