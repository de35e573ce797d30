// A unique_lock made with defer_lock and locked later.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mutex>
#include <thread>

static std::mutex m;
static int counter;

static void add() {
    std::unique_lock<std::mutex> later(m, std::defer_lock);
    later.lock();
    counter++;  // NORACE: later holds m
}

int main() {
    std::thread a(add), b(add);
    a.join();
    b.join();
    return counter == 0;  // NORACE: after both joins
}
