// Two threads write different fields of a structure.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

struct stats {
    int received, sent;
};

static struct stats stats;

static void *receiver(void *arg) {
    (void)arg;
    stats.received++;  // NORACE: only this thread -> separated(other-bytes)
    return NULL;
}

static void *sender(void *arg) {
    (void)arg;
    stats.sent++;  // NORACE: only this thread
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
