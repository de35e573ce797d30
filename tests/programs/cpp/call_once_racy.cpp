// call_once with a flag that is a local variable of each caller.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mutex>
#include <thread>

static int config;

static void initialise() {
    config = 7;  // RACE! k1: runs once in each thread
}

static void use() {
    std::once_flag once;
    std::call_once(once, initialise);
}

int main() {
    std::thread a(use), b(use);
    a.join();
    b.join();
    return config != 7;  // NORACE: after both joins
}
