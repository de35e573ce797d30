// libc++: the result is read before the jthread is joined.
// FLAGS: -std=c++20 -stdlib=libc++ -fexperimental-library
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <thread>

static int data;

int main() {
    int seen = 0;
    {
        std::jthread t([] {
            data = 1;  // RACE! d1: main reads meanwhile
        });
        seen = data;  // RACE! d1: the jthread still runs
    }
    return seen > 1;
}
