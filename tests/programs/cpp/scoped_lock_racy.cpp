// scoped_lock with two mutexes, and another thread that takes a third one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mutex>
#include <thread>

static std::mutex m1, m2, m3;
static int first, second;

static void both() {
    std::scoped_lock locks(m1, m2);
    first++;  // NORACE: under m1
    second++;  // RACE! s1: the other thread holds only m3
}

static void other() {
    std::scoped_lock locks(m3);
    second++;  // RACE! s1: holds m3
}

int main() {
    std::thread a(both), b(other);
    a.join();
    b.join();
    std::scoped_lock last(m3);
    return first + second == 0;  // NORACE: after both joins
}
