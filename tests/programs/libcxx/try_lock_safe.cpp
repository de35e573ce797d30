// A lock of libc++ that is tried, and used if it was got.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -stdlib=libc++
#include <mutex>
#include <thread>

std::mutex m;
int counter;

static void work() {
  if (!m.try_lock()) return;
  counter++;  // NORACE: the lock is held
  m.unlock();
}

int main() {
  std::thread t(work), u(work);
  t.join();
  u.join();
  return counter == 0;  // NORACE: both have ended
}
