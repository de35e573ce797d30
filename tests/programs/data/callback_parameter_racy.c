// One function calls what it is given: one thread chooses what by chance.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

struct box {
    int n;
};
static struct box shared;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void each(void (*visit)(struct box *), struct box *box) { visit(box); }
static void both(void (*visit)(struct box *), struct box *box) { each(visit, box); }

static void add(struct box *box) {
    box->n = 1;  // RACE! n1: looker may pass it without m
}

static void skip(struct box *box) { (void)box; }

static void *writer(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    both(add, &shared);
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *looker(void *arg) {
    both(arg != NULL ? add : skip, &shared);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, looker, &shared);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
