// std::async, and the result is read before get().
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <future>

static int data;

static int compute() {
    data = 5;  // RACE! d1: main does not wait for it
    return 1;
}

int main() {
    std::future<int> f = std::async(std::launch::async, compute);
    int seen;
    seen = data;  // RACE! d1: before get()
    int one = f.get();
    return one + seen == 0;
}
