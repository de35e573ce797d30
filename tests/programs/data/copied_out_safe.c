// A struct is taken off a list under one lock, and copied into a table under another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

struct block {
    struct block *next;
    int n;
};
static struct block *table, *list;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER, t = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&l);
    struct block *mine = list;
    list = mine->next;  // NORACE: under l
    pthread_mutex_unlock(&l);
    const int n = mine->n;  // NORACE: taken off the list; the table holds copies
    pthread_mutex_lock(&t);
    table[n & 1] = *mine;  // NORACE: under t
    pthread_mutex_unlock(&t);
    return NULL;
}

int main(void) {
    table = calloc(2, sizeof *table);
    for (int i = 0; i < 2; i++) {
        struct block *one = malloc(sizeof *one);
        one->next = list;
        one->n = i;
        list = one;
    }
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
