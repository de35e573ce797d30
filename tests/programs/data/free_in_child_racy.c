// Allocated by the parent, freed by the child, and the parent still reads.
// CONFIRMED: free is an access that a schedule can stop at
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

static void *child(void *arg) {
    int *p = arg;
    int seen = *p;  // NORACE: nobody writes it after the create
    free(p);  // RACE! f1: the parent still reads
    (void)seen;
    return NULL;
}

int main(void) {
    pthread_t t;
    int *p = malloc(sizeof *p);
    *p = 4;  // NORACE: before the create
    pthread_create(&t, NULL, child, p);
    int late = *p;  // RACE! f1: the child may have freed it
    (void)late;
    pthread_join(t, NULL);
    return 0;
}
