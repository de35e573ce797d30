// A lambda captures by reference, and the owner reads after the join.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <thread>

int main() {
    int local = 1;  // NORACE: before the thread starts
    std::thread t([&local] {
        local++;  // NORACE: the owner waits in join
    });
    t.join();
    return local < 2;  // NORACE: after the join
}
