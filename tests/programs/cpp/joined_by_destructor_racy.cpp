// A thread that uses a variable of a block, in an object whose destructor joins it outside of the block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <thread>

struct Joiner {
    std::thread thread;
    ~Joiner() { thread.join(); }
};

int rounds;

int main() {
    Joiner joiner;
    {
        int x = 0;
        joiner.thread = std::thread([&] { x++; });  // RACE! x: the block ends, or has ended
    }
    rounds++;
}
