// A function-local static is initialised once, by one thread, and only read then.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <thread>

static int source = 3;

static int compute() {
    return source * 2;  // NORACE: only read
}

static void use() {
    static int value = compute();  // NORACE: guarded by the compiler
    int seen = value;  // NORACE: after the initialisation
    (void)seen;
}

int main() {
    std::thread a(use), b(use);
    a.join();
    b.join();
    return 0;
}
