// Both threads count in assembly: what that does is not known.
// EXPECT: unknown: a library call may touch memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

int shared;
static void *worker(void *a) {
    __asm__ volatile("incl %0" : "+m"(shared));
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    __asm__ volatile("incl %0" : "+m"(shared));
    pthread_join(thread, 0);
    return 0;
}
