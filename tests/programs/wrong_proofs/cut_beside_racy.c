// Was proved: eight bytes that are written over the end of a number and the begin of the pointer behind it were held to
// replace the pointer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static _Alignas(256) int cells[64];
static int data;
static struct {
    long before;
    int *at;
} both = {0, cells + 1};

static void *writer(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    memset((char *)&both + 1, 0, 8);  // to the beginning of its 256 bytes, on machines with the lowest byte first
    *both.at = 1;
    pthread_mutex_unlock(&m);
    data = 1;  // RACE! c1: the reader has seen the first cell
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    pthread_mutex_lock(&m);
    int seen = cells[0];
    pthread_mutex_unlock(&m);
    if (seen) data = 2;  // RACE! c1: the writer has given back the lock
    pthread_join(t, NULL);
    return 0;
}
