// The same where the thread counts before it tells.
// FLAGS: -D_GNU_SOURCE
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int told;
static int counter;

static void *bump(void *arg) {
    (void)arg;
    counter++;  // NORACE: in front of what main waits for
    told = 1;
    usleep(10000);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, bump, NULL);
    while (!told)
        ;
    if (pthread_tryjoin_np(t, NULL) != 0) {
        counter = 2;  // NORACE: behind what the thread told
        pthread_join(t, NULL);
    }
    return 0;
}
