// libc++: call_once with a flag of each caller's own.
// FLAGS: -std=c++20 -stdlib=libc++
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mutex>
#include <thread>

static int config;

static int use(int wanted) {
    std::once_flag once;
    std::call_once(once, [wanted] {
        config = wanted;  // RACE! k1: runs once in each thread
    });
    return config;  // RACE! k1: the other thread may still run its own
}

int main() {
    std::thread a(use, 7), b(use, 7);
    a.join();
    b.join();
    return config != 7;  // NORACE: after both joins
}
