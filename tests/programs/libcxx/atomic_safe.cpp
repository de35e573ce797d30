// libc++: a std::atomic counter.
// FLAGS: -std=c++20 -stdlib=libc++
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <thread>

static std::atomic<int> hits;

static void work() {
    hits++;  // NORACE: atomic
}

int main() {
    std::thread a(work), b(work);
    a.join();
    b.join();
    return hits.load() == 0;  // NORACE: after both joins
}
