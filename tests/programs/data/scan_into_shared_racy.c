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
    number++;    // RACE! s1: sscanf holds no lock
    *fresh = 3;  // RACE! f1: printf's argument is read without the lock
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    fresh = malloc(sizeof *fresh);
    pthread_create(&t, NULL, worker, NULL);
    sscanf("7", "%d", &number);        // RACE! s1: writes through the pointer
    fprintf(stderr, "%d\n", *fresh);  // RACE! f1: may have no value yet
    pthread_join(t, NULL);
    free(fresh);
    return 0;
}
