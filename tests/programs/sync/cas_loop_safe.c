// A maximum kept by a compare-and-swap loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>

static atomic_int maximum;

static void *offer(void *arg) {
    int value = (int)(long)arg;
    int old = atomic_load(&maximum);
    while (old < value && !atomic_compare_exchange_weak(&maximum, &old, value))
        continue;
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
