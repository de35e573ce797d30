// libc++: what the waiting thread reads is written behind the lock.
// FLAGS: -std=c++20 -stdlib=libc++
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable changed;
static bool ready;
static int value;

static void produce() {
    {
        std::unique_lock<std::mutex> lock(m);
        ready = true;  // NORACE: under m
    }
    value = 1;  // RACE! v1: the lock was given back
    changed.notify_one();
}

int main() {
    std::thread t(produce);
    {
        std::unique_lock<std::mutex> lock(m);
        while (!ready) changed.wait(lock);  // NORACE: under m
        value++;  // RACE! v1: the producer holds no lock any more
    }
    t.join();
    return value > 2;  // NORACE: after the join
}
