// Two threads of functions with one type, and a flag under a lock. Where an exception is thrown, the handler tells that
// the data is written.
// UNDECIDED: the analysis of the whole program does not follow what is caught
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
    data = 1;  // NORACE: the flag is set afterwards, by whoever comes there -> refuted(transactions)
    may_throw(__VERIFIER_nondet_int());
    tell();
  } catch (int) {
    tell();
  }
}

static void consume() {
  bool told;
  {
    std::lock_guard<std::mutex> hold(m);
    told = ready;
  }
  if (told) data++;  // NORACE: the flag says that it was written -> refuted(transactions)
}

int main() {
  std::thread producer(produce), consumer(consume);
  producer.join();
  consumer.join();
  return 0;
}
