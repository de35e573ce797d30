// A maximum kept by compare and store as two plain steps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>

static int maximum;

static void *offer(void *arg) {
    int value = (int)(long)arg;
    if (value > 0)
        maximum = maximum > value ? maximum : value;  // RACE! m1: a plain update
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, offer, (void *)3);
    pthread_create(&b, NULL, offer, (void *)5);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return maximum < 3;  // NORACE: after both joins
}
