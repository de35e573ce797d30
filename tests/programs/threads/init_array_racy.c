// The program puts a function into a section by itself; those in .init_array run before main.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

static int x;
static pthread_t t;

static void *work(void *arg) {
    x = 1;  // RACE! x1: the thread was started before main
    return arg;
}

static void start(void) { pthread_create(&t, NULL, work, NULL); }
__attribute__((section(".init_array"), used)) static void (*entry)(void) = start;

int main(void) {
    x = 2;  // RACE! x1: the thread was started before main
    usleep(5000);
    return 0;
}
