// The end of main destroys its thread_local objects.
// EXPECT: race
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
    d.i = 1;
    std::thread worker([] {
        shared = 2;
    });
    worker.detach();
    return 0;
}
