// Memory behind a local variable of a thread that a global leads to as well.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

struct store {
    int *items;
    int count;
};

static int *spare;

static void put(struct store *s, int item) {
    if (s->count == 0)
        s->items = spare;
    s->items[s->count] = item;  // RACE! s1: both threads take the spare memory
    s->count++;
}

static void *worker(void *arg) {
    struct store s = {NULL, 0};
    (void)arg;
    put(&s, 1);
    put(&s, 2);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    spare = malloc(8 * sizeof(int));
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(spare);
    return 0;
}
