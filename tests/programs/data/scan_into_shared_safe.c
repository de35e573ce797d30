// sscanf and an uninitialised printf argument: the library writes and reads shared memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int number;
static int *fresh;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    number++;    // NORACE: both sides hold m
    *fresh = 3;  // NORACE: both sides hold m
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    fresh = malloc(sizeof *fresh);
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&m);
    sscanf("7", "%d", &number);        // NORACE: both sides hold m
    fprintf(stderr, "%d\n", *fresh);  // NORACE: both sides hold m
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    free(fresh);
    return 0;
}
