// The nearest program without the race: both write under the lock.
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
    data = 1;  // NORACE: both hold m
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    pthread_mutex_lock(&m);
    int seen = cells[0];
    if (seen) data = 2;  // NORACE: both hold m
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
