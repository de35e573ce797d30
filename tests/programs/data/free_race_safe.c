// An object is freed and used under the lock.
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
    free(object);  // NORACE: the user is done or sees NULL
    object = NULL;  // NORACE: under m
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *user(void *arg) {
    (void)arg;
    int seen = 0;
    pthread_mutex_lock(&m);
    int *copy = object;  // NORACE: under m
    if (copy != NULL)
        seen = *copy;  // NORACE: under m
    pthread_mutex_unlock(&m);
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
