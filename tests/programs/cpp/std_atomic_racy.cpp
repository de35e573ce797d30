// A plain counter beside a std::atomic one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <thread>

static std::atomic<int> hits;
static int misses;

static void work() {
    hits.fetch_add(1, std::memory_order_relaxed);  // NORACE: atomic
    misses++;  // RACE! m1: not atomic
}

int main() {
    std::thread a(work), b(work);
    a.join();
    b.join();
    return hits.load() + misses == 0;  // NORACE: after both joins
}
