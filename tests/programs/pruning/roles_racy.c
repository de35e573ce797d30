// One entry for two roles, and two threads in the writing role.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

enum role {
    WRITER,
    IDLER,
};

static int value;

static void *run(void *arg) {
    if ((enum role)(long)arg == WRITER)
        value++;  // RACE! v1: two writers
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, run, (void *)WRITER);
    pthread_create(&b, NULL, run, (void *)WRITER);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return value == 0;  // NORACE: after both joins
}
