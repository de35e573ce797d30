// libc++: std::jthread joins in its destructor, and the result is read after.
// FLAGS: -std=c++20 -stdlib=libc++ -fexperimental-library
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <thread>

static int data;

int main() {
    int seen = 0;
    {
        std::jthread t([] {
            data = 1;  // NORACE: main waits at the end of the block
        });
    }
    seen = data;  // NORACE: the destructor has joined
    return seen > 1;
}
