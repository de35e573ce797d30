// Both threads count in assembly: what that does is not known.
// EXPECT: unknown: a library call may touch memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

int shared;
static void *worker(void *a) {
#ifdef __x86_64__
    __asm__ volatile("incl %0" : "+m"(shared));
#else
    int one;
    __asm__ volatile("ldr %w0, %1\n\tadd %w0, %w0, #1\n\tstr %w0, %1" : "=&r"(one), "+m"(shared));
#endif
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
#ifdef __x86_64__
    __asm__ volatile("incl %0" : "+m"(shared));
#else
    int one;
    __asm__ volatile("ldr %w0, %1\n\tadd %w0, %w0, #1\n\tstr %w0, %1" : "=&r"(one), "+m"(shared));
#endif
    pthread_join(thread, 0);
    return 0;
}
