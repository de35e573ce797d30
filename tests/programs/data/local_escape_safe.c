// The address of a local variable given to a thread; the owner waits for the join.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static void *child(void *arg) {
    *(int *)arg += 1;  // NORACE: the owner waits in the join
    return NULL;
}

int main(void) {
    pthread_t t;
    int local = 1;  // NORACE: before the create
    pthread_create(&t, NULL, child, &local);
    pthread_join(t, NULL);
    return local < 2;  // NORACE: after the join
}
