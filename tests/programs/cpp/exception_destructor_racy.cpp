// The destructor of an exception counts; it runs where the handler ends.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mutex>
#include <thread>

static std::mutex m;
static int count;

struct Failure {
    ~Failure() {
        count++;  // RACE! c1: run where the handler ends, without a lock
    }
};

static void work() {
    try {
        throw Failure();
    } catch (...) {
    }
}

int main() {
    std::thread a(work), b(work);
    a.join();
    b.join();
    return 0;
}
