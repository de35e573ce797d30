// An atomic flag is read, and the data are used only if it is set.
// Decided by running it; statically: order by release and acquire is not used as a proof yet
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int ready;
static int data;

static void *producer(void *arg) {
    (void)arg;
    data = 1;  // NORACE: before the flag is set
    atomic_store(&ready, 1);
    return NULL;
}

static void *consumer(void *arg) {
    (void)arg;
    usleep(1000);
    int seen = atomic_load(&ready);
    if (seen)
        seen += data;  // NORACE: only after the producer set ready
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return data != 1;  // NORACE: after both joins
}
