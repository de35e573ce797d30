// A function returns a unique_lock, and the caller keeps it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mutex>
#include <thread>

static std::mutex m;
static int counter;

static std::unique_lock<std::mutex> acquire() {
    std::unique_lock<std::mutex> fresh(m);
    return fresh;
}

static void add() {
    std::unique_lock<std::mutex> held = acquire();
    std::unique_lock<std::mutex> moved = std::move(held);
    counter++;  // NORACE: moved holds m
}

int main() {
    std::thread a(add), b(add);
    a.join();
    b.join();
    return counter == 0;  // NORACE: after both joins
}
