// A unique_lock made with defer_lock that is never locked.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mutex>
#include <thread>

static std::mutex m;
static int counter;

static void add() {
    std::unique_lock<std::mutex> later(m, std::defer_lock);
    counter++;  // RACE! c1: later holds nothing
}

int main() {
    std::thread a(add), b(add);
    a.join();
    b.join();
    return counter == 0;  // NORACE: after both joins
}
