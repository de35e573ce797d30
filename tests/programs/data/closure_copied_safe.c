// What a thread is given is a copy of a struct that holds the address of a local.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdlib.h>

struct work {
    int *count;
};

static void *entry(void *arg) {
    struct work *work = arg;
    (*work->count)++;  // NORACE: main waits
    return NULL;
}

static void copy(struct work *to, const struct work *from) {
    *to = *from;
}

static pthread_t start(const struct work *work) {
    pthread_t t;
    struct work *own = malloc(sizeof *own);
    copy(own, work);
    pthread_create(&t, NULL, entry, own);
    return t;
}

int main(void) {
    int local = 1;
    struct work work = {&local};
    pthread_t t = start(&work);
    pthread_join(t, NULL);
    local++;  // NORACE: the thread has ended
    return 0;
}
