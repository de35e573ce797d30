// Two threads write the same field of a structure.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

struct stats {
    int received, sent;
};

static struct stats stats;

static void *receiver(void *arg) {
    (void)arg;
    stats.received++;  // RACE! r1: the other thread writes it too
    return NULL;
}

static void *sender(void *arg) {
    (void)arg;
    stats.received++;  // RACE! r1: the receiver's field
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, receiver, NULL);
    pthread_create(&b, NULL, sender, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return stats.received + stats.sent == 0;  // NORACE: after both joins
}
