// Waits for a word by the kernel's own call.
// EXPECT: race-free
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

atomic_int f;
int shared;
static void *worker(void *a) {
    shared = 1;
    atomic_store(&f, 1);
    syscall(SYS_futex, &f, FUTEX_WAKE, 1, 0, 0, 0);
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    while (atomic_load(&f) == 0)
        syscall(SYS_futex, &f, FUTEX_WAIT, 0, 0, 0, 0);
    shared = 2;
    pthread_join(thread, 0);
    return 0;
}
