// String functions as accesses, under one lock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char name[32] = "nobody";

static void *rename_it(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    strcpy(name, "somebody");  // NORACE: under m
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *measure(void *arg) {
    (void)arg;
    size_t length;
    pthread_mutex_lock(&m);
    length = strlen(name);  // NORACE: under m
    pthread_mutex_unlock(&m);
    (void)length;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, rename_it, NULL);
    pthread_create(&b, NULL, measure, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return name[0] != 's';  // NORACE: after both joins
}
