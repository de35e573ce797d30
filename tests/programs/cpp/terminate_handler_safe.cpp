// An exception that nobody catches calls the handler of std::terminate.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdlib>
#include <exception>
#include <thread>

static int state;

static void handler() {
    state = 1;  // NORACE: the thread has ended
    std::_Exit(0);
}

int main() {
    std::set_terminate(handler);
    std::thread worker([] {
        state = 2;  // NORACE: the thread has ended
    });
    worker.join();
    throw 1;
}
