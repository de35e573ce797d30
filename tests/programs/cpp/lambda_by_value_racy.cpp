// Two lambdas that capture one variable by reference.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <thread>

int main() {
    int local = 1;  // NORACE: before the threads start
    auto work = [&local]() {
        local++;  // RACE! l1: one variable for both threads
    };
    std::thread a(work), b(work);
    a.join();
    b.join();
    return local < 1;  // NORACE: after both joins
}
