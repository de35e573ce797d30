// std::jthread joins in its destructor, and the result is read before.
// FLAGS: -std=c++20
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <thread>

static int data;

int main() {
    int seen = 0;
    {
        std::jthread t([] {
            data = 1;  // RACE! d1: main reads inside the block
        });
        seen = data;  // RACE! d1: the destructor has not joined yet
    }
    return seen > 1;
}
