// An atomic flag is read, but the data are used whatever it says.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int ready;
static int data;

static void *producer(void *arg) {
    (void)arg;
    usleep(5000);
    data = 1;  // RACE! d1: the consumer may not have seen ready
    atomic_store(&ready, 1);
    return NULL;
}

static void *consumer(void *arg) {
    (void)arg;
    int seen = atomic_load(&ready);
    if (seen >= 0)
        seen += data;  // RACE! d1: also when ready is 0
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
