// Elimination slot with back-off: an offer is taken by exchange, or withdrawn.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static _Atomic(int *) slot;

static void *offer(void *arg) {
    (void)arg;
    static int payload;
    payload = 1;  // NORACE: not offered yet
    atomic_store(&slot, &payload);
    for (int tries = 0; tries < 100 && atomic_load(&slot) != NULL; tries++)
        usleep(100);
    if (atomic_exchange(&slot, NULL) != NULL)
        payload = 3;  // NORACE: withdrawn: nobody else has it
    return NULL;
}

static void *partner(void *arg) {
    (void)arg;
    int *got = NULL;
    for (int tries = 0; tries < 1000 && got == NULL; tries++) {
        usleep(10);
        got = atomic_exchange(&slot, NULL);
    }
    if (got != NULL)
        *got += 1;  // NORACE: taken by exchange: the only owner
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, offer, NULL);
    pthread_create(&b, NULL, partner, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
