// libc++: a write under the exclusive lock.
// FLAGS: -std=c++20 -stdlib=libc++
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex m;
static int value;

static void write() {
    std::unique_lock<std::shared_mutex> lock(m);
    value = 1;  // NORACE: exclusive
}

static void read() {
    std::shared_lock<std::shared_mutex> lock(m);
    int seen = value;  // NORACE: shared against exclusive
    (void)seen;
}

int main() {
    std::thread a(write), b(read);
    a.join();
    b.join();
    return value != 1;  // NORACE: after both joins
}
