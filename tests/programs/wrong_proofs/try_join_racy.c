// Was proved: pthread_tryjoin_np was held to succeed always; it returns EBUSY while the thread runs.
// FLAGS: -D_GNU_SOURCE
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int counter;

static void *bump(void *arg) {
    (void)arg;
    counter++;  // RACE! c1: main writes too
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, bump, NULL);
    int status = pthread_tryjoin_np(t, NULL);
    counter = 2;  // RACE! c1: the thread may still run
    if (status != 0)
        pthread_join(t, NULL);
    return 0;
}
