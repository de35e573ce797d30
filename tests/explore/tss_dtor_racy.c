// A destructor of thread-specific storage of C11.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <threads.h>

tss_t k;
int shared;
static void d(void *v) {
    shared = 1;
}

static int worker(void *a) {
    tss_set(k, &shared);
    return 0;
}

int main() {
    thrd_t thread;
    tss_create(&k, d);
    thrd_create(&thread, worker, 0);
    shared = 2;
    thrd_join(thread, 0);
    return 0;
}
