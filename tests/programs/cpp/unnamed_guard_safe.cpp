// A lock_guard with a name lives to the end of the block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mutex>
#include <thread>

static std::mutex m;
static int counter;

static void add() {
    std::lock_guard<std::mutex> guard{m};
    counter++;  // NORACE: guard holds m
}

int main() {
    std::thread a(add), b(add);
    a.join();
    b.join();
    return counter == 0;  // NORACE: after both joins
}
