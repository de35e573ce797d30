// What a thread was given is destroyed by that thread, before it can be waited for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <thread>

static int ended;

struct Guard {
    int *seen;
    explicit Guard(int *seen) : seen(seen) {}
    Guard(const Guard &other) : seen(other.seen) {}
    Guard(Guard &&other) noexcept : seen(other.seen) { other.seen = nullptr; }
    ~Guard() {
        if (seen != nullptr) ended++;  // NORACE: the thread ends its copy before main goes on
    }
};

int main() {
    int n = 0;
    auto *guard = new Guard(&n);
    std::thread t([copy = *guard] { (void)copy; });
    guard->seen = nullptr;  // NORACE: the thread has a copy
    t.join();
    ended = 0;  // NORACE: behind the thread and its end
    return 0;
}
