// The end of a thread destroys its thread_local objects, and is waited for.
// EXPECT: race-free
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <thread>

int shared;
struct D {
    int i;
    ~D() {
        shared = 1;
    }
};
thread_local D d;
int main() {
    std::thread worker([] {
        d.i = 2;
    });
    worker.join();
    shared = 2;
    return 0;
}
