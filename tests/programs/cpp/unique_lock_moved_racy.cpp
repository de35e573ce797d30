// A function returns a unique_lock, and the caller drops it at once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mutex>
#include <thread>

static std::mutex m;
static int counter;

static std::unique_lock<std::mutex> acquire() {
    std::unique_lock<std::mutex> fresh(m);
    return fresh;
}

static void add() {
    acquire();
    counter++;  // RACE! c1: the temporary has unlocked m
}

int main() {
    std::thread a(add), b(add);
    a.join();
    b.join();
    return counter == 0;  // NORACE: after both joins
}
