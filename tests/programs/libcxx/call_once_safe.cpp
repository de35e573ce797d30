// libc++: call_once with one flag for all callers.
// FLAGS: -std=c++20 -stdlib=libc++
// TSAN-ALARMS: the library that releases the flag is not instrumented
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mutex>
#include <thread>

static std::once_flag once;
static int config;

static int use(int wanted) {
    std::call_once(once, [wanted] {
        config = wanted;  // NORACE: once, and before any return from call_once
    });
    return config;  // NORACE: after the one call
}

int main() {
    std::thread a(use, 7), b(use, 7);
    a.join();
    b.join();
    return config != 7;  // NORACE: after both joins
}
