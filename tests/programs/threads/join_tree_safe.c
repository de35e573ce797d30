// A tree of threads: every node joins its child, then reads the child's result.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

struct task {
    int depth;
    int sum;
};

static void *grow(void *arg) {
    struct task *self = arg;
    struct task child = {self->depth - 1, 0};
    pthread_t t;
    int below;
    if (self->depth == 0) {
        self->sum = 1;  // NORACE: the parent reads after the join
        return NULL;
    }
    pthread_create(&t, NULL, grow, &child);
    pthread_join(t, NULL);
    below = child.sum;  // NORACE: after the join
    self->sum = below + 1;  // NORACE: the parent reads after the join
    return NULL;
}

int main(void) {
    struct task root = {3, 0};
    pthread_t t;
    pthread_create(&t, NULL, grow, &root);
    pthread_join(t, NULL);
    return root.sum != 4;  // NORACE: after the join -> separated(already-joined)
}
