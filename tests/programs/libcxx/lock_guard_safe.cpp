// libc++: a thread with an argument, both sides take the lock.
// FLAGS: -std=c++20 -stdlib=libc++
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mutex>
#include <thread>

static std::mutex m;
static int total;

static void add(int n) {
    std::lock_guard<std::mutex> guard(m);
    total += n;  // NORACE: under m
}

int main() {
    std::thread t(add, 2);
    add(1);
    t.join();
    return total > 3;  // NORACE: after the join
}
