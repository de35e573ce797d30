// Was proved: a thread was held to have ended with the last that others can see of it; it may still run then.
// FLAGS: -D_GNU_SOURCE
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int told;
static int counter;

static void *bump(void *arg) {
    (void)arg;
    told = 1;
    usleep(10000);
    counter++;  // RACE! c1: main writes when the join fails
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, bump, NULL);
    while (!told)
        ;
    if (pthread_tryjoin_np(t, NULL) != 0) {
        counter = 2;  // RACE! c1: the thread may be behind its last operation and still run
        pthread_join(t, NULL);
    }
    return 0;
}
