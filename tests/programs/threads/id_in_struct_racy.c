// Thread ids kept in structures: the id of one worker is joined, the result of the other is read.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

struct worker {
    pthread_t id;
    int result;
};

static struct worker workers[2];

static void *run(void *arg) {
    struct worker *self = arg;
    self->result = 1;  // RACE! r1: workers[1] may still run when main reads
    return NULL;
}

int main(void) {
    int seen;
    for (int i = 0; i < 2; i++)
        pthread_create(&workers[i].id, NULL, run, &workers[i]);
    pthread_join(workers[0].id, NULL);
    seen = workers[1].result;  // RACE! r1: only workers[0] is joined
    pthread_join(workers[1].id, NULL);
    return seen != 1;
}
