// A barrier that a static object sets up before main begins.
// EXPECT: race-free
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

struct S {
    pthread_barrier_t b;
    S() {
        pthread_barrier_init(&b, 0, 2);
    }
} s;
int shared;
static void *worker(void *a) {
    shared = 1;
    pthread_barrier_wait(&s.b);
    return 0;
}

int main() {
    pthread_t h;
    pthread_create(&h, 0, worker, 0);
    pthread_barrier_wait(&s.b);
    shared = 2;
    pthread_join(h, 0);
    return 0;
}
