// Create/join order: the parent writes between create and join.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static int data;

static void *child(void *arg) {
    (void)arg;
    data++;  // RACE! d1: runs beside the parent
    return NULL;
}

int main(void) {
    pthread_t t;
    data = 1;  // NORACE: before the create
    pthread_create(&t, NULL, child, NULL);
    data++;  // RACE! d1: the child is not joined yet
    pthread_join(t, NULL);
    data++;  // NORACE: after the join
    return data < 3;  // NORACE: after the join
}
