// Callbacks with a context: two workers call back with the same context.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

typedef void (*callback)(void *context);

struct worker {
    callback on_event;
    void *context;
};

static int first, second;

static void count(void *context) {
    (*(int *)context)++;  // RACE! f1: both workers pass &first
}

static void *run(void *arg) {
    struct worker *w = arg;
    w->on_event(w->context);
    return NULL;
}

static struct worker one = {count, &first};
static struct worker two = {count, &first};

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, run, &one);
    pthread_create(&b, NULL, run, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return first + second == 0;  // NORACE: after both joins
}
