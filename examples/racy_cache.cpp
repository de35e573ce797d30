// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A cache with a lock and a shortcut around it: `empty` looks at the size without the lock, while another thread puts.
// truth: race
#include <cstdio>
#include <mutex>
#include <thread>

class Cache {
 public:
  void put(int key, int value) {
    const std::lock_guard<std::mutex> guard(mutex_);
    keys_[size_ % capacity] = key;
    values_[size_ % capacity] = value;
    ++size_;
  }
  bool empty() const { return size_ == 0; }  // the shortcut

 private:
  static constexpr int capacity = 16;
  std::mutex mutex_;
  int keys_[capacity] = {};
  int values_[capacity] = {};
  int size_ = 0;
};

static Cache cache;

static void fill() {
  for (int i = 0; i < 10; ++i) cache.put(i, i * i);
}

int main() {
  std::thread writer(fill);
  if (cache.empty()) std::puts("nothing yet");
  writer.join();
  return 0;
}
