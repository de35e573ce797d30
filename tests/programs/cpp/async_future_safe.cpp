// std::async, and the result is read after get().
// UNDECIDED: the calls inside the state of std::async are not all resolved
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <future>

static int data;

static int compute() {
    data = 5;  // NORACE: main waits in get()
    return 1;
}

int main() {
    std::future<int> f = std::async(std::launch::async, compute);
    int seen;
    int one = f.get();
    seen = data;  // NORACE: after get()
    return one + seen == 0;
}
