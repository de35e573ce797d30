// libc++: a thread with an argument, one of two sides takes the lock.
// FLAGS: -std=c++20 -stdlib=libc++
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mutex>
#include <thread>

static std::mutex m;
static int total;

static void add(int n) {
    std::lock_guard<std::mutex> guard(m);
    total += n;  // RACE! t1: main holds no lock
}

int main() {
    std::thread t(add, 2);
    total += 1;  // RACE! t1: no lock
    t.join();
    return total > 3;  // NORACE: after the join
}
