// A thread started by a thread and joined by it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

static pthread_t child_id;
static int data;

static void *child(void *arg) {
    (void)arg;
    data++;  // NORACE: main waits for the parent, the parent for this thread
    return NULL;
}

static void *parent(void *arg) {
    (void)arg;
    pthread_create(&child_id, NULL, child, NULL);
    pthread_join(child_id, NULL);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, parent, NULL);
    pthread_join(t, NULL);
    data++;  // NORACE: parent and child are over
    return data != 2;  // NORACE: every thread is over
}
