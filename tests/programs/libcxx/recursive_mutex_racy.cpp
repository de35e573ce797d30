// libc++: only the inner function takes the recursive mutex.
// FLAGS: -std=c++20 -stdlib=libc++
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mutex>
#include <thread>

static std::recursive_mutex m;
static int total;

static void inner() {
    std::lock_guard<std::recursive_mutex> guard(m);
    total++;  // RACE! t1: the other thread may be behind its call
}

static void outer() {
    inner();
    total++;  // RACE! t1: no lock any more
}

int main() {
    std::thread t(outer);
    outer();
    t.join();
    return total > 4;  // NORACE: after the join
}
