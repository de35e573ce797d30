// Callbacks with a context: every worker has its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

typedef void (*callback)(void *context);

struct worker {
    callback on_event;
    void *context;
};

static int first, second;

static void count(void *context) {
    (*(int *)context)++;  // NORACE: each worker passes its own counter
}

static void *run(void *arg) {
    struct worker *w = arg;
    w->on_event(w->context);
    return NULL;
}

static struct worker one = {count, &first};
static struct worker two = {count, &second};

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, run, &one);
    pthread_create(&b, NULL, run, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return first + second == 0;  // NORACE: after both joins
}
