// std::thread with a function that takes no lock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mutex>
#include <thread>

static std::mutex m;
static int counter;

static void add(int amount) {
    counter += amount;  // RACE! c1: no lock
}

int main() {
    std::thread a(add, 1), b(add, 2);
    a.join();
    b.join();
    std::lock_guard<std::mutex> guard(m);
    return counter == 0;  // NORACE: after both joins
}
