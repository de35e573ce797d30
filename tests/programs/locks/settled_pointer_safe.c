// Locks through pointers in memory that only ever hold one address: a global and a member of a heap object.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

struct table {
    int used;
    pthread_mutex_t *lock;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t *at_start = &m;
static struct table *table;
static int counter, other;

static void *through_pointers(void *arg) {
    (void)arg;
    pthread_mutex_lock(at_start);
    counter++;  // NORACE: both hold m
    pthread_mutex_unlock(at_start);
    pthread_mutex_lock(table->lock);
    other++;  // NORACE: both hold m
    pthread_mutex_unlock(table->lock);
    return NULL;
}

static void *by_name(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    counter++;  // NORACE: both hold m
    other++;    // NORACE: both hold m
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    table = malloc(sizeof *table);
    if (table == NULL) return 1;
    table->lock = &m;
    pthread_create(&a, NULL, through_pointers, NULL);
    pthread_create(&b, NULL, by_name, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_mutex_lock(&n);
    pthread_mutex_unlock(&n);
    return counter + other != 4;  // NORACE: after both joins
}
