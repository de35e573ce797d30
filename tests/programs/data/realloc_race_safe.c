// realloc and use under the same lock.
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
    buffer = realloc(buffer, 1 << 20);  // NORACE: under m
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    int seen;
    pthread_mutex_lock(&m);
    int *copy = buffer;  // NORACE: under m
    seen = copy[0];  // NORACE: under m
    pthread_mutex_unlock(&m);
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
