// Per-element locks by pointer arithmetic: the value of the element after the locked one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

struct cell {
    pthread_mutex_t m;
    int value;
};

static struct cell cells[4];
static unsigned k;

static void *one(void *arg) {
    (void)arg;
    struct cell *p = cells + k;  // NORACE: k is written before the threads start
    pthread_mutex_lock(&p->m);
    (p + 1)->value++;  // RACE! v1: holds the lock of the element before
    pthread_mutex_unlock(&p->m);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    struct cell *p = cells + k + 1;  // NORACE: k is written before the threads start
    pthread_mutex_lock(&p->m);
    p->value++;  // RACE! v1: holds the lock of this element
    pthread_mutex_unlock(&p->m);
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    pthread_t a, b;
    k = (unsigned)argc % 3;  // NORACE: before the threads start
    for (int i = 0; i < 4; i++)
        pthread_mutex_init(&cells[i].m, NULL);
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
