// Two threads make a static variable of a function.
// EXPECT: race-free
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <thread>

struct S {
    int v;
    S() : v(3) {
    }
};
static S &get() {
    static S s;
    return s;
}

int main() {
    std::thread worker([] {
        (void)get().v;
    });
    (void)get().v;
    worker.join();
}
