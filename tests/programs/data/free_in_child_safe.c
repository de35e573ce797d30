// Allocated by the parent, freed by the child that owns it from the create on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

static void *child(void *arg) {
    int *p = arg;
    int seen = *p;  // NORACE: nobody writes it after the create
    free(p);  // NORACE: the parent gave it away
    (void)seen;
    return NULL;
}

int main(void) {
    pthread_t t;
    int *p = malloc(sizeof *p);
    *p = 4;  // NORACE: before the create
    pthread_create(&t, NULL, child, p);
    pthread_join(t, NULL);
    return 0;
}
