// What a thread was given is destroyed by that thread, at its end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <thread>

static int ended;

struct Guard {
    int *seen;
    explicit Guard(int *seen) : seen(seen) {}
    Guard(const Guard &other) : seen(other.seen) {}
    Guard(Guard &&other) noexcept : seen(other.seen) { other.seen = nullptr; }
    ~Guard() {
        if (seen != nullptr) ended++;  // RACE! e1: the thread ends its copy
    }
};

int main() {
    int n = 0;
    auto *guard = new Guard(&n);
    std::thread t([copy = *guard] { (void)copy; });
    guard->seen = nullptr;  // NORACE: the thread has a copy
    ended = 0;              // RACE! e1: beside the thread
    t.join();
    return 0;
}
