// The function of a once flag throws: the next caller tries again.
// EXPECT: race
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mutex>
#include <thread>

std::once_flag o;
int shared, n, y;
static void f() {
    try {
        std::call_once(o, [] {
            if (++n == 1)
                throw 1;
        });
        y++;
    } catch (int) {
    }
    y = 1;
}

int main() {
    std::thread worker(f);
    f();
    worker.join();
    return 0;
}
