// condition_variable: the flag is set without the lock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable changed;
static bool ready;

static void producer() {
    ready = true;  // RACE! r1: no lock
    changed.notify_one();
}

static void consumer() {
    std::unique_lock<std::mutex> lock(m);
    if (!ready)  // RACE! r1: the producer holds no lock
        changed.wait_for(lock, std::chrono::milliseconds(200));
}

int main() {
    std::thread a(consumer), b(producer);
    a.join();
    b.join();
    return ready ? 0 : 1;  // NORACE: after both joins
}
