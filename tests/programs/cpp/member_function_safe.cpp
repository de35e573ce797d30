// std::thread with member functions that lock a member mutex.
// UNDECIDED: a pointer to a member function as the thread's function is not resolved
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mutex>
#include <thread>

class Counter {
public:
    void up() {
        std::lock_guard<std::mutex> guard(m_);
        value_++;  // NORACE: under m_
    }
    void down() {
        std::lock_guard<std::mutex> guard(m_);
        value_--;  // NORACE: under m_
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
