// libc++: a write under a shared lock.
// FLAGS: -std=c++20 -stdlib=libc++
// TSAN-MISSES: this shared_mutex is made of a mutex, which orders its readers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex m;
static int value;

static void write() {
    std::shared_lock<std::shared_mutex> lock(m);
    value = 1;  // RACE! v1: only a shared lock
}

static void read() {
    std::shared_lock<std::shared_mutex> lock(m);
    int seen = value;  // RACE! v1: shared locks do not exclude each other
    (void)seen;
}

int main() {
    std::thread a(write), b(read);
    a.join();
    b.join();
    return value != 1;  // NORACE: after both joins
}
