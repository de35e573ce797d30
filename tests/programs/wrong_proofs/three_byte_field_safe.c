// The nearest program without the race: both write under the lock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stddef.h>

struct __attribute__((packed)) word {
    unsigned low : 24;
    unsigned char high;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct word w;
static int data;

static void *writer(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    w.high = 5;
    w.low = 0x7fffff;
    data = 1;  // NORACE: both hold m
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    pthread_mutex_lock(&m);
    int seen = w.high == 5;
    if (seen) data = 2;  // NORACE: both hold m
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
