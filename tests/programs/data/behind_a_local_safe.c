// Memory behind a local variable of each thread, made and used by functions that are given the variable.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

struct store {
    int *items;
    int count;
};

static void put(struct store *s, int item) {
    if (s->count == 0)
        s->items = malloc(8 * sizeof(int));
    s->items[s->count] = item;  // NORACE: only this thread's store leads there
    s->count++;
}

static void *worker(void *arg) {
    struct store s = {NULL, 0};
    (void)arg;
    put(&s, 1);
    put(&s, 2);
    free(s.items);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
