// A join that failed is done again, this time waiting.
// FLAGS: -D_GNU_SOURCE
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int counter;

static void *bump(void *arg) {
    (void)arg;
    counter++;  // NORACE: the only access while this thread runs
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, bump, NULL);
    int status = pthread_tryjoin_np(t, NULL);
    if (status != 0)
        pthread_join(t, NULL);
    counter = 2;  // NORACE: joined on either path
    return 0;
}
