// A destructor function that runs after the only thread was joined.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static int counter;

static void *bump(void *arg) {
    (void)arg;
    counter++;  // NORACE: joined before main returns
    return NULL;
}

__attribute__((destructor)) static void reset(void) {
    usleep(20000);
    counter = 9;  // NORACE: no thread is left when main has returned
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, bump, NULL);
    pthread_join(t, NULL);
    return 0;
}
