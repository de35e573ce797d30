// Thread ids kept in structures: the worker whose result is read was joined.
// Decided by running it; statically: the join of one of several threads that a loop creates says nothing yet
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

struct worker {
    pthread_t id;
    int result;
};

static struct worker workers[2];

static void *run(void *arg) {
    struct worker *self = arg;
    self->result = 1;  // NORACE: main reads after this worker's join
    return NULL;
}

int main(void) {
    int seen;
    for (int i = 0; i < 2; i++)
        pthread_create(&workers[i].id, NULL, run, &workers[i]);
    pthread_join(workers[1].id, NULL);
    seen = workers[1].result;  // NORACE: workers[1] is joined
    pthread_join(workers[0].id, NULL);
    return seen != 1;
}
