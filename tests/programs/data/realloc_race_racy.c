// realloc under the lock may move a buffer that is used outside it.
// CONFIRMED: realloc is an access that a schedule can stop at
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *buffer;

static void *grower(void *arg) {
    (void)arg;
    usleep(5000);
    pthread_mutex_lock(&m);
    buffer = realloc(buffer, 1 << 20);  // RACE! b1: frees what the reader may still use
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    int seen;
    pthread_mutex_lock(&m);
    int *copy = buffer;  // NORACE: under m
    pthread_mutex_unlock(&m);
    seen = copy[0];  // RACE! b1: the old buffer may be gone
    (void)seen;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    buffer = calloc(4, sizeof *buffer);
    pthread_create(&a, NULL, grower, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(buffer);  // NORACE: after both joins
    return 0;
}
