// The operation stands in a function, and what makes the rounds differ in its caller, or in how deep they are.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;
static int x;

static int look(void) { return atomic_load(&flag); }

static void go_down(int depth) {
    look();
    if (depth > 0) go_down(depth - 1);
}

static void *wait(void *unused) {
    for (int i = 0; i < 4; i++) look();
    go_down(3);
    x = 1;
    return unused;
}

int main(void) {
    pthread_t h;
    pthread_create(&h, 0, wait, 0);
    x = 2;
    pthread_join(h, 0);
    return 0;
}
