// Threads that use a variable of a block and are joined by destructors when the block is left.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <memory>
#include <thread>

struct Joiner {
    std::thread thread;
    ~Joiner() { thread.join(); }
};
struct Join {
    void operator()(std::thread *thread) const {
        thread->join();
        delete thread;
    }
};

int rounds;

int main() {
    {
        int x = 0;
        const Joiner &kept = Joiner{std::thread([&] { x++; })};
        (void)kept;
    }
    rounds++;
    {
        int y = 0;
        std::unique_ptr<std::thread, Join> owned(new std::thread([&] { y++; }));
    }
    rounds++;
}
