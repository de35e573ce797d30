// Was proved: a pointer behind the last element, and from there back, was held to lead to all elements but the last.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int cells[4], data;
static volatile int count = 4;

static void *writer(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    int *end = cells + count;
    end[-1] = 1;
    pthread_mutex_unlock(&m);
    data = 1;  // RACE! c1: the reader has seen the last cell
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    pthread_mutex_lock(&m);
    int seen = cells[3];
    pthread_mutex_unlock(&m);
    if (seen) data = 2;  // RACE! c1: the writer has given back the lock
    pthread_join(t, NULL);
    return 0;
}
