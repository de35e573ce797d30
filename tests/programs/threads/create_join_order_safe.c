// Create/join order: accesses before the create and after the join.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int data;

static void *child(void *arg) {
    (void)arg;
    data++;  // NORACE: the parent waits in the join
    return NULL;
}

int main(void) {
    pthread_t t;
    data = 1;  // NORACE: before the create
    pthread_create(&t, NULL, child, NULL);
    pthread_join(t, NULL);
    data++;  // NORACE: after the join
    return data < 3;  // NORACE: after the join
}
