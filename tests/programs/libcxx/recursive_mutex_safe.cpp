// libc++: a recursive mutex taken twice is still held when the inner guard ends.
// FLAGS: -std=c++20 -stdlib=libc++
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mutex>
#include <thread>

static std::recursive_mutex m;
static int total;

static void inner() {
    std::lock_guard<std::recursive_mutex> guard(m);
    total++;  // NORACE: under m
}

static void outer() {
    std::lock_guard<std::recursive_mutex> guard(m);
    inner();
    total++;  // NORACE: the outer guard still holds m
}

int main() {
    std::thread t(outer);
    outer();
    t.join();
    return total > 4;  // NORACE: after the join
}
