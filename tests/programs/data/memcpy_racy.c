// memcpy reads a buffer while another thread writes it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char source[32];

static void *writer(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    source[20] = 'x';  // RACE! b1: memcpy holds no lock
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *copier(void *arg) {
    (void)arg;
    char target[32];
    memcpy(target, source, sizeof target);  // RACE! b1: reads source without the lock
    (void)target[0];
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, copier, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return source[20] != 'x';  // NORACE: after both joins
}
