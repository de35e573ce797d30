// A std::thread is joined that may stand for no thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <system_error>
#include <thread>

static int failures;

static void work() {
    std::thread inner;
    try {
        inner.join();
    } catch (const std::system_error &) {
        failures++;  // RACE! f1: the join throws
    }
}

int main() {
    std::thread a(work), b(work);
    a.join();
    b.join();
    return 0;
}
