// condition_variable with a predicate under the lock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable changed;
static bool ready;

static void producer() {
    {
        std::lock_guard<std::mutex> guard(m);
        ready = true;  // NORACE: under m
    }
    changed.notify_one();
}

static void consumer() {
    std::unique_lock<std::mutex> lock(m);
    if (!ready)  // NORACE: under m
        changed.wait_for(lock, std::chrono::milliseconds(200));
}

int main() {
    std::thread a(consumer), b(producer);
    a.join();
    b.join();
    return ready ? 0 : 1;  // NORACE: after both joins
}
