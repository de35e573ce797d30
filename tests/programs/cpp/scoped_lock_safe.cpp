// scoped_lock with two mutexes in either order.
// UNDECIDED: the locks taken by the retry loop of std::lock are lost
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mutex>
#include <thread>

static std::mutex m1, m2, m3;
static int first, second;

static void both() {
    std::scoped_lock locks(m1, m2);
    first++;  // NORACE: under m1
    second++;  // NORACE: under m1 and m2
}

static void other() {
    std::scoped_lock locks(m2, m1);
    second++;  // NORACE: under m1 and m2
    first++;  // NORACE: under m1
}

int main() {
    std::thread a(both), b(other);
    a.join();
    b.join();
    std::scoped_lock last(m3);
    return first + second == 0;  // NORACE: after both joins
}
