// std::thread with a member function, one of two methods forgets the lock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mutex>
#include <thread>

class Counter {
public:
    void up() {
        std::lock_guard<std::mutex> guard(m_);
        value_++;  // RACE! v1: the other method takes no lock
    }
    void down() {
        value_--;  // RACE! v1: no lock
    }
    int value() const { return value_; }  // NORACE: called after both joins

private:
    std::mutex m_;
    int value_ = 0;
};

int main() {
    Counter counter;
    std::thread a(&Counter::up, &counter), b(&Counter::down, &counter);
    a.join();
    b.join();
    return counter.value() > 1;
}
