// Was proved: a destructor function runs after main while a thread may still run; it was not looked at.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static int counter;

static void *bump(void *arg) {
    (void)arg;
    counter++;  // RACE! c1: not joined, so the destructor may run at the same time
    return NULL;
}

__attribute__((destructor)) static void reset(void) {
    usleep(20000);
    counter = 9;  // RACE! c1: runs when main has returned
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, bump, NULL);
    return 0;
}
