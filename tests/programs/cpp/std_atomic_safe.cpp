// Counters of type std::atomic.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <thread>

static std::atomic<int> hits;
static std::atomic<int> misses;

static void work() {
    hits.fetch_add(1, std::memory_order_relaxed);  // NORACE: atomic
    misses++;  // NORACE: atomic
}

int main() {
    std::thread a(work), b(work);
    a.join();
    b.join();
    return hits.load() + misses == 0;  // NORACE: after both joins
}
