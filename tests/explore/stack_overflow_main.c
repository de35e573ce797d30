// Calls itself without an end, in main.
// EXPECT: unknown: a stack overflow
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>

volatile int depth;
static int f(int n) {
    volatile char b[4096];
    b[0] = n;
    return f(n + 1) + b[0];
}

int main() {
    depth = f(0);
    return 0;
}
