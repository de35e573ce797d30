// A function gives new memory, or a number for what went wrong; it is known to nobody until it is stored.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

struct item {
    int a, b;
};
static struct item *last;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *failed(long error) { return (void *)error; }

static struct item *make(void) {
    struct item *one = malloc(sizeof *one);
    if (one == NULL) return failed(-12);
    one->a = 1;  // NORACE: nobody knows it yet
    return one;
}

static void *worker(void *arg) {
    (void)arg;
    struct item *one = make();
    if (one == NULL || (unsigned long)one > -4096UL) return NULL;
    one->b = 2;  // NORACE: nobody knows it yet
    pthread_mutex_lock(&m);
    last = one;  // NORACE: under m
    last->b++;   // NORACE: under m
    pthread_mutex_unlock(&m);
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
