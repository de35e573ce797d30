// A lock_guard without a name lives for one statement.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mutex>
#include <thread>

static std::mutex m;
static int counter;

static void add() {
    std::lock_guard<std::mutex>{m};
    counter++;  // RACE! c1: the guard is gone already
}

int main() {
    std::thread a(add), b(add);
    a.join();
    b.join();
    return counter == 0;  // NORACE: after both joins
}
