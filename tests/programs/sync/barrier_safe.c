// Barrier phases: write, barrier, read the neighbour, barrier, write again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_barrier_t barrier;
static int cells[2];

static void *worker(void *arg) {
    long me = (long)arg;
    cells[me] = 1;  // NORACE: own cell, first phase
    pthread_barrier_wait(&barrier);
    int neighbour = cells[1 - me];  // NORACE: read phase
    pthread_barrier_wait(&barrier);
    cells[me] = neighbour + 1;  // NORACE: own cell, third phase
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&a, NULL, worker, (void *)0);
    pthread_create(&b, NULL, worker, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return cells[0] != 2;  // NORACE: after both joins
}
