// A tree of threads: a node reads its child's result before the join.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

struct task {
    int depth;
    int sum;
};

static void *grow(void *arg) {
    struct task *self = arg;
    struct task child = {self->depth - 1, 0};  // RACE s1: known false alarm, as at the end of the function
    pthread_t t;
    int below;
    if (self->depth == 0) {  // RACE s1: known false alarm, as at the end of the function
        self->sum = 1;  // RACE! s1: the parent does not wait for it
        return NULL;
    }
    pthread_create(&t, NULL, grow, &child);
    below = child.sum;  // RACE! s1: before the join
    pthread_join(t, NULL);
    self->sum = below + 1;  // RACE! s1: the parent does not wait for it
    return NULL;
}  // RACE s1: known false alarm, child ends behind the join, which does not count in a tree of threads

int main(void) {
    struct task root = {3, 0};
    pthread_t t;
    pthread_create(&t, NULL, grow, &root);
    pthread_join(t, NULL);
    return root.sum != 4;  // NORACE: after the join
}
