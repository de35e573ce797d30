// Was proved: what the first object of an allocation contains was held to be in the second one as well.
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
        counter++;  // RACE! c1: the second object has kind 0
    return NULL;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t t;
        struct item *item = calloc(1, sizeof *item);
        if (i == 0)
            item->kind = 5;
        current = item;
        pthread_create(&t, NULL, worker, NULL);
        counter = 1;  // RACE! c1: along with the worker of the second object
        pthread_join(t, NULL);
    }
    return 0;
}
