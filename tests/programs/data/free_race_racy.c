// An object is freed under the lock, but used outside it.
// CONFIRMED: the reader stands before its read, the other before free
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *object;

static void *destroyer(void *arg) {
    (void)arg;
    usleep(5000);
    pthread_mutex_lock(&m);
    free(object);  // RACE! o1: the user may still read it
    object = NULL;  // NORACE: under m
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *user(void *arg) {
    (void)arg;
    int seen = 0;
    pthread_mutex_lock(&m);
    int *copy = object;  // NORACE: under m
    pthread_mutex_unlock(&m);
    if (copy != NULL)
        seen = *copy;  // RACE! o1: outside the lock, may be freed now
    (void)seen;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    object = calloc(1, sizeof *object);
    pthread_create(&a, NULL, destroyer, NULL);
    pthread_create(&b, NULL, user, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
