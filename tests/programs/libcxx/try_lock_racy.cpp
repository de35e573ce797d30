// A lock of libc++ that is tried, and used without asking whether it was got.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -stdlib=libc++
// CONFIRMED: one thread finds the lock taken
#include <mutex>
#include <thread>

std::mutex m;
int counter;

static void work() {
  const bool got = m.try_lock();
  counter++;  // RACE! c1: also when the other thread has the lock
  if (got) m.unlock();
}

int main() {
  std::thread t(work), u(work);
  t.join();
  u.join();
  return counter == 0;  // NORACE: both have ended
}
