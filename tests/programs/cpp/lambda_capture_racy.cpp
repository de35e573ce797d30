// A lambda captures by reference, and the owner writes before the join.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <thread>

int main() {
    int local = 1;  // NORACE: before the thread starts
    std::thread t([&local] {
        local++;  // RACE! l1: the owner writes it too
    });
    local++;  // RACE! l1: the lambda has a reference to it
    t.join();
    return local < 2;  // NORACE: after the join
}
