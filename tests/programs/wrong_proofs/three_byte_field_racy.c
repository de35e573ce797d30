// Was proved: a store to a bit-field of three bytes was held to write the fourth one, which is another member.
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
    pthread_mutex_unlock(&m);
    data = 1;  // RACE! c1: the reader has seen the 5
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    pthread_mutex_lock(&m);
    int seen = w.high == 5;
    pthread_mutex_unlock(&m);
    if (seen) data = 2;  // RACE! c1: the writer has given back the lock
    pthread_join(t, NULL);
    return 0;
}
