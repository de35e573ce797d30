// Was proved: main joins a thread that began after bump had ended, and so took bump's second instance for ended too.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int counter;

static void *bump(void *arg) {
    (void)arg;
    counter++;  // RACE! c1: the second instance runs along with main's write
    return NULL;
}

static void *idle(void *arg) {
    (void)arg;
    return NULL;
}

int main(void) {
    pthread_t bumping, idling;
    for (int round = 0; round < 2; round++) {
        pthread_create(&bumping, NULL, bump, NULL);
        if (round == 0) {
            pthread_join(bumping, NULL);
            pthread_create(&idling, NULL, idle, NULL);
        } else {
            pthread_join(idling, NULL);
            counter = 1;  // RACE! c1: only the first instance of bump has ended
        }
    }
    pthread_join(bumping, NULL);
    return 0;
}
