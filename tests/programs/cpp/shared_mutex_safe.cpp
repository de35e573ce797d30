// shared_mutex: writes under the unique lock, reads under the shared lock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex m;
static int value;

static void write() {
    std::unique_lock<std::shared_mutex> lock(m);
    value = 1;  // NORACE: unique lock -> separated(common-lock)
}

static void read() {
    std::shared_lock<std::shared_mutex> lock(m);
    int seen = value;  // NORACE: shared against unique lock
    (void)seen;
}

int main() {
    std::thread a(write), b(read);
    a.join();
    b.join();
    return value != 1;  // NORACE: after both joins
}
