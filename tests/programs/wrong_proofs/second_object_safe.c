// Every object of the allocation gets the same content.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

struct item {
    int kind;
    int value;
};

static struct item *current;
static int counter;

static void *worker(void *arg) {
    (void)arg;
    if (current->kind == 0)
        counter++;  // NORACE: no object has kind 0
    return NULL;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t t;
        struct item *item = calloc(1, sizeof *item);
        item->kind = 5;
        current = item;
        pthread_create(&t, NULL, worker, NULL);
        counter = 1;  // NORACE: the worker does not write
        pthread_join(t, NULL);
    }
    return 0;
}
