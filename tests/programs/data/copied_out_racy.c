// A struct is copied: what a pointer in it leads to is shared from then on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

struct block {
    int *data;
    int n;
};
static struct block first, second;

static void *worker(void *arg) {
    (void)arg;
    *second.data = 1;  // RACE! d1: the same number as first.data
    return NULL;
}

int main(void) {
    first.data = malloc(sizeof *first.data);
    second = first;
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    *first.data = 2;  // RACE! d1: behind the copied pointer
    pthread_join(a, NULL);
    return 0;
}
