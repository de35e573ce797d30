// Two threads of functions with one type, and a flag under a lock. An exception leads behind the flag before the data
// is written.
#include <mutex>
#include <thread>

extern "C" int __VERIFIER_nondet_int(void);
std::mutex m;
bool ready;
int data;

static void may_throw(int n) {
  if (n > 3) throw n;
}

static void tell() {
  std::lock_guard<std::mutex> hold(m);
  ready = true;
}

static void produce() {
  try {
    tell();
    may_throw(__VERIFIER_nondet_int());
  } catch (int) {
    data = 1;  // RACE! c1: it was told before
  }
}

static void consume() {
  bool told;
  {
    std::lock_guard<std::mutex> hold(m);
    told = ready;
  }
  if (told) data++;  // RACE! c1: the other half
}

int main() {
  std::thread producer(produce), consumer(consume);
  producer.join();
  consumer.join();
  return 0;
}
