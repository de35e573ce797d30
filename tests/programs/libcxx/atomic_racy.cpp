// libc++: a counter that is not atomic.
// FLAGS: -std=c++20 -stdlib=libc++
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <thread>

static int hits;

static void work() {
    hits++;  // RACE! h1: not atomic
}

int main() {
    std::thread a(work), b(work);
    a.join();
    b.join();
    return hits == 0;  // NORACE: after both joins
}
