// Two lambdas, each with a copy of the variable.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <thread>

int main() {
    int local = 1;  // NORACE: before the threads start
    auto work = [local]() mutable {
        local++;  // NORACE: a copy of its own
    };
    std::thread a(work), b(work);
    a.join();
    b.join();
    return local < 1;  // NORACE: after both joins
}
