// call_once with one flag for all callers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mutex>
#include <thread>

static std::once_flag once;
static int config;

static void initialise() {
    config = 7;  // NORACE: once, and before any return from call_once
}

static void use() {
    std::call_once(once, initialise);
}

int main() {
    std::thread a(use), b(use);
    a.join();
    b.join();
    return config != 7;  // NORACE: after both joins
}
