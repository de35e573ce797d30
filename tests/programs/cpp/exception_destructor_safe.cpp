// The destructor of an exception counts; it runs where the handler ends.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mutex>
#include <thread>

static std::mutex m;
static int count;

struct Failure {
    ~Failure() {
        count++;  // NORACE: the handler ends under m
    }
};

static void work() {
    std::lock_guard<std::mutex> guard(m);
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
